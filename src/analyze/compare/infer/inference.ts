import { type Estimate, whenAvailable } from '../../../stats/estimate.ts'
import { type Alternative, type Interval, studentTUpperQuantile } from '../../../stats/index.ts'
import type { Drawing } from '../../choices.ts'

/** The result of a method for a difference. */
export interface Inference {
  readonly interval: Estimate<Interval>
  readonly p: Estimate<number>
  /** The test behind p. */
  readonly test: string
  /**
   * The smallest p that this many resamples can give: a p that is no larger is a bound. Null if p is by formula, or
   * everything was enumerated.
   */
  readonly leastP: number | null
}

export interface InferenceOptions {
  readonly level: number
  readonly alternative: Alternative
  readonly drawing: Drawing
  /** Only whether p is at most this is needed: its exact value below is not worth the time. */
  readonly enough?: number
}

/** Takes each end from the inference that puts it further out; p is the larger of the two. */
export const wider = (one: Inference, other: Inference): Inference => ({
  interval: whenAvailable(one.interval, a =>
    whenAvailable(other.interval, b => ({ ...a, low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) })),
  ),
  p: whenAvailable(one.p, a => whenAvailable(other.p, b => Math.max(a, b))),
  test: `${one.test} and ${other.test}, the larger p`,
  leastP: other.leastP,
})

/** The bound of a one-sided interval is that of a two-sided one with twice the error. */
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
