import { isConstant } from '../../stats/describe/moments.ts'
import { valueOrNull } from '../../stats/outcome.ts'
import { cvInterval } from '../../stats/variation/cv-interval.ts'

/** What the true coefficient of variation may be; a bound that does not exist is null. */
export interface CvBounds {
  readonly level: number
  readonly low: number
  readonly high: number | null
  readonly method: 'vangel' | 'exact'
}

/** Values that are all the same bound nothing: two or three equal ones are luck, not a CV of 0. */
export function boundsAt(values: readonly number[], level: number): CvBounds | null {
  const interval = values.length < 2 || isConstant(values) ? null : valueOrNull(cvInterval(values, level))
  if (interval === null) return null
  return {
    level,
    low: interval.low,
    high: Number.isFinite(interval.high) ? interval.high : null,
    method: interval.method,
  }
}

/**
 * The smallest number of runs from which on the upper bound stays under the threshold; null if it is not with all of them.
 * The first at which it happens to be under would be one look of many, and wrong more often than the level says.
 */
export function enoughRuns(values: readonly number[], threshold: number, level: number): number | null {
  let runs = values.length
  while (runs > 1 && isUnder(values.slice(0, runs), threshold, level)) runs--
  return runs === values.length ? null : runs + 1
}

function isUnder(values: readonly number[], threshold: number, level: number): boolean {
  const high = boundsAt(values, level)?.high ?? null
  return high !== null && high < threshold
}
