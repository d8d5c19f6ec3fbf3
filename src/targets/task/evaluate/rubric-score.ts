import type { Rubric } from '../task.ts'
import type { TestResult } from './score.ts'

/** A rubric as its tests leave it; one without tests as the judges do. */
export interface RubricScore {
  readonly criterion: string
  readonly weight: number
  /** The share of its tests that passed, or else the judges' score; null: neither a test nor a judge scored it. */
  readonly score: number | null
  readonly max_score: 1
  readonly weighted_score: number | null
  readonly test_count: number
  readonly tests_passed: number
}

export function rubricScores(
  rubrics: readonly Rubric[],
  tests: readonly TestResult[],
  judged: readonly { readonly rubric_id: string; readonly score: number }[] = [],
): Readonly<Record<string, RubricScore>> {
  return Object.fromEntries(
    rubrics.map(({ id, criterion, weight }) => {
      const own = tests.filter(({ rubric }) => rubric === id)
      const passed = own.filter(test => test.passed).length
      const score =
        own.length > 0 ? passed / own.length : (judged.find(({ rubric_id }) => rubric_id === id)?.score ?? null)
      const weighted = score === null ? null : score * weight
      return [
        id,
        {
          criterion,
          weight,
          score,
          max_score: 1,
          weighted_score: weighted,
          test_count: own.length,
          tests_passed: passed,
        },
      ]
    }),
  )
}

/**
 * The weighted mean of the scored rubrics; null: none was scored. An unscored rubric is left out rather than counted as
 * 0, and named in the results.
 */
export function weightedTotal(
  scores: readonly { readonly weight: number; readonly score: number | null }[],
): number | null {
  const scored = scores.filter((one): one is { weight: number; score: number } => one.score !== null && one.weight > 0)
  const weights = scored.reduce((sum, { weight }) => sum + weight, 0)
  return weights === 0 ? null : scored.reduce((sum, { weight, score }) => sum + weight * score, 0) / weights
}
