import { pearsonCorrelation } from '../correlation/pearson.ts'
import { areConstant, pairedDifferences } from '../describe/differences.ts'
import { isConstant, meanOf, sumOfSquares } from '../describe/moments.ts'
import { normalQuantile, normalSurvival } from '../distributions/normal.ts'
import { type Estimate, isAvailable, unavailable, whenAvailable } from '../estimate.ts'
import { requireLevel } from '../tests/alternative.ts'
import { clusteredError } from './clustered-error.ts'

export interface PairedQuestions {
  /** Candidate minus control, over the questions that both answered. */
  readonly difference: number
  readonly questions: number
  readonly pairedError: Estimate<number>
  /** The standard error if the two had answered different questions. */
  readonly unpairedError: Estimate<number>
  readonly correlation: Estimate<number>
  /** 1 − paired variance / unpaired variance: the gain from asking both the same questions. */
  readonly varianceReduction: Estimate<number>
  readonly test: Estimate<{ readonly z: number; readonly p: number; readonly low: number; readonly high: number }>
}

/**
 * Two models on the same questions, question by question (Miller 2024, "Adding error bars to evals", §3.2 and §4). Normal
 * quantiles: for hundreds of questions. With few, use the paired t, permutation or McNemar tests.
 */
export function pairedQuestions(
  candidate: readonly number[],
  control: readonly number[],
  { level = 0.95, clusters }: { readonly level?: number; readonly clusters?: readonly (string | number)[] } = {},
): Estimate<PairedQuestions> {
  requireLevel(level)
  return whenAvailable(pairedDifferences(candidate, control), differences => {
    const { values } = differences
    const questions = values.length
    const difference = meanOf(values)
    const pairedError = areConstant(differences) ? reasonFor(questions) : aboveZero(errorOf(values, clusters))
    const unpairedError =
      isConstant(candidate) && isConstant(control) ? reasonFor(questions) : aboveZero(unpaired(candidate, control))
    return {
      difference,
      questions,
      pairedError,
      unpairedError,
      correlation: whenAvailable(pearsonCorrelation(candidate, control), ({ estimate }) => estimate),
      varianceReduction: whenAvailable(pairedError, paired =>
        whenAvailable(unpairedError, apart => 1 - (paired / apart) ** 2),
      ),
      test: whenAvailable(pairedError, error => {
        const z = difference / error
        const half = normalQuantile((1 + level) / 2) * error
        return { z, p: 2 * normalSurvival(Math.abs(z)), low: difference - half, high: difference + half }
      }),
    }
  })
}

/** Squares of tiny values are too small for a double. */
function aboveZero(error: Estimate<number>): Estimate<number> {
  return error === 0 ? unavailable('zero_variance') : error
}

function reasonFor(questions: number) {
  return unavailable(questions < 2 ? 'too_few_values' : 'zero_variance')
}

function errorOf(values: readonly number[], clusters: readonly (string | number)[] | undefined): Estimate<number> {
  if (clusters === undefined) return Math.sqrt(sumOfSquares(values) / (values.length - 1) / values.length)
  const error = clusteredError(values, clusters)
  return isAvailable(error) ? error.standardError : error
}

function unpaired(candidate: readonly number[], control: readonly number[]): number {
  const size = candidate.length
  return Math.sqrt((sumOfSquares(candidate) + sumOfSquares(control)) / (size - 1) / size)
}
