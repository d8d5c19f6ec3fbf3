import { areConstant, type Differences, pairedDifferences } from '../../describe/differences.ts'
import { meanOf, sumOfSquares } from '../../describe/moments.ts'
import { type Estimate, unavailable, whenAvailable } from '../../estimate.ts'
import { type TTest, type TTestOptions, tInference } from './t-inference.ts'

/** Mean of a − b over pairs. Differences that are all equal up to rounding say nothing about chance. */
export function pairedTTest(a: readonly number[], b: readonly number[], options?: TTestOptions): Estimate<TTest> {
  return whenAvailable(pairedDifferences(a, b), differences => oneSampleTTest(differences, options))
}

export function oneSampleTTest(differences: Differences, options?: TTestOptions): Estimate<TTest> {
  const n = differences.values.length
  if (n < 2) return unavailable('too_few_values')
  const spread = sumOfSquares(differences.values) / (n - 1)
  // The second condition: squares of 1e-200 underflow to 0.
  if (areConstant(differences) || spread === 0) return unavailable('zero_variance')
  return tInference(meanOf(differences.values), Math.sqrt(spread / n), n - 1, options)
}
