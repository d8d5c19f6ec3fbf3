import { unusable } from '../describe/usable.ts'
import { type Estimate, isAvailable, requireThat, unavailable } from '../estimate.ts'

/** A metric over steps, in the order of the steps. */
export interface Series {
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

/**
 * The series itself if all of its numbers are usable, otherwise the reason. Decreasing steps are the caller's error.
 */
export function checkedSeries(series: Series): Estimate<Series> {
  const { steps, values } = series
  requireThat(steps.length === values.length, `a value for each of ${steps.length} steps, got ${values.length}`)
  const reason = unusable(values) ?? unusable(steps)
  if (reason !== undefined) return reason
  requireThat(
    steps.every((step, at) => at === 0 || step >= (steps[at - 1] ?? step)),
    'steps that never go back',
  )
  return series
}

export function lastOf(numbers: readonly number[]): Estimate<number> {
  return numbers.at(-1) ?? unavailable('no_data')
}

/** Keeps the points for which `isKept` holds. */
export function pointsOf(series: Series, isKept: (step: number, at: number) => boolean): Series {
  const kept = series.steps.map(isKept)
  return { steps: series.steps.filter((_, at) => kept[at]), values: series.values.filter((_, at) => kept[at]) }
}

/** The reason of the first missing estimate, if any. */
export function firstReason(estimates: readonly Estimate<unknown>[]): Estimate<null> {
  for (const estimate of estimates) if (!isAvailable(estimate)) return estimate as Estimate<null>
  return null
}
