import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'

/** The shortest interval that contains this share of the draws. */
export function densestInterval(draws: Float64Array, level = 0.95): Estimate<Interval> {
  requireLevel(level)
  if (draws.length < 2) return unavailable(draws.length === 0 ? 'no_data' : 'too_few_values')
  const sorted = draws.toSorted()
  if (Number.isNaN(sorted.at(-1))) return unavailable('not_a_number')
  const within = Math.min(sorted.length - 1, Math.ceil(level * sorted.length))
  let first = 0
  for (let start = 1; start + within < sorted.length; start++)
    if (lengthAt(sorted, start, within) < lengthAt(sorted, first, within)) first = start
  return { level, low: sorted[first] ?? Number.NaN, high: sorted[first + within] ?? Number.NaN }
}

export interface PracticalEquivalence {
  readonly interval: Interval
  /** The share of the draws below, within and above the region. */
  readonly below: number
  readonly within: number
  readonly above: number
  /** `equivalent`: the whole interval lies within the region. `different`: all of it outside. */
  readonly decision: 'equivalent' | 'different' | 'undecided'
}

/** Whether a difference is too small to matter, by a region of practical equivalence (Kruschke 2018, AMPPS 1:270). */
export function practicalEquivalence(
  draws: Float64Array,
  region: { readonly low: number; readonly high: number },
  level = 0.95,
): Estimate<PracticalEquivalence> {
  requireThat(region.low < region.high, `a region whose low is below its high, got ${region.low} and ${region.high}`)
  const interval = densestInterval(draws, level)
  if ('unavailable' in interval) return interval
  const share = (isCounted: (value: number) => boolean) => draws.filter(isCounted).length / draws.length
  const isInside = interval.low >= region.low && interval.high <= region.high
  const isOutside = interval.low > region.high || interval.high < region.low
  return {
    interval,
    below: share(value => value < region.low),
    within: share(value => value >= region.low && value <= region.high),
    above: share(value => value > region.high),
    decision: isInside ? 'equivalent' : isOutside ? 'different' : 'undecided',
  }
}

function lengthAt(sorted: Float64Array, start: number, within: number): number {
  return (sorted[start + within] ?? Infinity) - (sorted[start] ?? 0)
}
