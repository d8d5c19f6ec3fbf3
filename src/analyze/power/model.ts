import type { Estimate } from '../../stats/estimate.ts'
import type { Alternative } from '../../stats/index.ts'

/** Known before the runs: how they will be compared, and how certain the result should be. */
export interface Aim {
  readonly alpha: number
  readonly power: number
  readonly alternative: Alternative
}

/** The relation of power, number of units and size of the difference, for one kind of data and design. */
export interface PowerModel {
  readonly design: 'paired' | 'two groups'
  readonly data: 'means' | 'proportions' | 'paired yes or no' | 'pilot'
  /** The counted units: `pairs`, `runs in each arm`, `tasks`. */
  readonly units: string
  /** Whether effects are in units of the sd, because none was given. */
  readonly isStandardised: boolean
  /** The fewest units for which it gives an answer. */
  readonly fewest: number
  powerAt(n: number, effect: number): Estimate<number>
  runsFor(effect: number): Estimate<number>
  /** In the given direction, if any. */
  effectFor(n: number, direction?: Direction): Estimate<number>
  /** The expected half-width of the interval with this many units. */
  halfWidthAt(n: number): Estimate<number>
  runsForHalfWidth(halfWidth: number): Estimate<number>
  /**
   * The range of the required number of units, given the uncertainty of the estimated spread; null if the spread is
   * simply assumed.
   */
  rangeFor(effect: number): Estimate<{ readonly low: number; readonly high: number }> | null
  readonly assumptions: readonly string[]
  /** A caveat about answers for these numbers of units. */
  caveatFor?(sizes: readonly number[]): string | null
}

/** Of a difference: candidate above control, or below. */
export type Direction = 1 | -1
