import { coefficientOfVariation } from '../describe/moments.ts'
import { type Estimate, isAvailable, requireThat, unavailable } from '../estimate.ts'
import { cvBound } from './cv-interval.ts'

export interface RunsForCv {
  /** For n = 1, 2, …: the upper limit of the CV, at this confidence, after the first n values. */
  readonly upperBounds: readonly Estimate<number>[]
  /** The smallest n after which the CV was known to be below the threshold; null if it never was. */
  readonly firstUpperBelow: number | null
}

/** The correct form of "the CV is below the threshold": its upper bound is below, not just the estimate. */
export function runsForCv(
  values: readonly number[],
  { threshold = 0.05, confidence = 0.95 }: { readonly threshold?: number; readonly confidence?: number } = {},
): RunsForCv {
  requireThat(threshold > 0, `a threshold above 0, got ${threshold}`)
  requireThat(confidence > 0 && confidence < 1, `a confidence between 0 and 1, got ${confidence}`)
  const upperBounds = values.map((_, at) => {
    const estimate = coefficientOfVariation(values.slice(0, at + 1))
    if (!isAvailable(estimate)) return estimate
    // Two or three equal values are luck, not a CV of 0.
    if (estimate === 0) return unavailable('zero_variance')
    const bound = cvBound(estimate, at + 1, 1 - confidence)
    return Number.isFinite(bound) ? bound : unavailable('unbounded')
  })
  const first = upperBounds.findIndex(bound => isAvailable(bound) && bound < threshold)
  return { upperBounds, firstUpperBelow: first < 0 ? null : first + 1 }
}
