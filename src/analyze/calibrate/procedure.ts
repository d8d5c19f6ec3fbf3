import { type Estimate, isAvailable } from '../../stats/estimate.ts'
import type { Interval } from '../../stats/index.ts'
import type { Draw } from './population.ts'

/** A procedure's answer to one simulated experiment. */
export interface Answer {
  /** Whether the interval contains the truth; null if there is no interval. */
  readonly covers: boolean | null
  readonly width: number | null
  /** Whether it calls the difference real; without a p it does not. */
  readonly rejects: boolean
}

export interface Question {
  /** The true difference. */
  readonly truth: number
  readonly alpha: number
  /** The seed of its own random numbers. */
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
  // Bounds and truth are sums of decimal numbers: a difference by rounding is neither a hit nor a miss.
  const slack = 1e-12 * Math.max(1, Math.abs(truth))
  return { covers: low <= truth + slack && truth - slack <= high, width: high - low, rejects }
}
