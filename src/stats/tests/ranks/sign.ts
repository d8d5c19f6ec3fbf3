import { type Differences, isZero } from '../../describe/differences.ts'
import { binomialCdf } from '../../distributions/binomial.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { type ExactP, exactP } from '../alternative.ts'

export interface SignTest {
  readonly positives: number
  readonly negatives: number
  readonly p: ExactP
}

/** Whether differences are as often above 0 as below it; zeros are ignored. Exact binomial. */
export function signTest(differences: Differences): Estimate<SignTest> {
  const positives = differences.values.filter(value => value > 0 && !isZero(value, differences)).length
  const negatives = differences.values.filter(value => value < 0 && !isZero(value, differences)).length
  const n = positives + negatives
  if (n === 0) return unavailable('all_differences_zero')
  return { positives, negatives, p: exactP(binomialCdf(negatives, n, 0.5), binomialCdf(positives, n, 0.5)) }
}
