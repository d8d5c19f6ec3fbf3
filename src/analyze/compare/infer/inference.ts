import type { Estimate } from '../../../stats/estimate.ts'
import type { Alternative, Interval } from '../../../stats/index.ts'
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
}
