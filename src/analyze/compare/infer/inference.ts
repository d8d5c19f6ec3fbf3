import { type Estimate, whenAvailable } from '../../../stats/estimate.ts'
import { type Alternative, type Interval, studentTUpperQuantile } from '../../../stats/index.ts'
import type { Drawing } from '../../choices.ts'

/** What a method says about a difference. */
export interface Inference {
  readonly interval: Estimate<Interval>
  readonly p: Estimate<number>
  /** The test behind p. */
  readonly test: string
  /** The smallest p that so many resamples can give: one that is no larger is a bound. Null where p is by formula, or all was counted. */
  readonly leastP: number | null
}

export interface InferenceOptions {
  readonly level: number
  readonly alternative: Alternative
  readonly drawing: Drawing
  /** Only whether p is at most this is asked: how far below is not worth the time. */
  readonly enough?: number
}

/** Each end where either of them puts it, whichever is further out; p is the larger of the two. */
export const wider = (one: Inference, other: Inference): Inference => ({
  interval: whenAvailable(one.interval, a =>
    whenAvailable(other.interval, b => ({ ...a, low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) })),
  ),
  p: whenAvailable(one.p, a => whenAvailable(other.p, b => Math.max(a, b))),
  test: `${one.test} and ${other.test}, the larger p`,
  leastP: other.leastP,
})

/** The bound of a one-sided interval is that of a two-sided one of twice the error. */
export function oneSided(
  estimate: number,
  error: number,
  df: number,
  level: number,
  alternative: Alternative,
): Interval {
  const reach = studentTUpperQuantile(1 - level, df) * error
  return alternative === 'greater'
    ? { level, low: estimate - reach, high: Number.POSITIVE_INFINITY }
    : { level, low: Number.NEGATIVE_INFINITY, high: estimate + reach }
}
