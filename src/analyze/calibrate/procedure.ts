import { type Estimate, isAvailable } from '../../stats/estimate.ts'
import type { Interval } from '../../stats/index.ts'
import type { Draw } from './population.ts'

/** What a procedure says about one simulated experiment. */
export interface Answer {
  /** Whether the interval holds the truth; null where it gives none. */
  readonly covers: boolean | null
  readonly width: number | null
  /** Whether it calls the difference real; without a p it doesn't. */
  readonly rejects: boolean
}

export interface Question {
  /** The true difference. */
  readonly truth: number
  readonly alpha: number
  /** For what is drawn inside. */
  readonly seed: number
  readonly resamples: number
}

/** A way from data to an interval and a p value. */
export interface Procedure {
  readonly name: string
  answer(draw: Draw, question: Question): Answer
}

export function answerOf(interval: Estimate<Interval>, p: Estimate<number>, { truth, alpha }: Question): Answer {
  const rejects = isAvailable(p) && p <= alpha
  if (!isAvailable(interval)) return { covers: null, width: null, rejects }
  const { low, high } = interval
  // Bounds and truth are sums of decimal numbers: what rounding does to them is neither hit nor miss.
  const slack = 1e-12 * Math.max(1, Math.abs(truth))
  return { covers: low <= truth + slack && truth - slack <= high, width: high - low, rejects }
}
