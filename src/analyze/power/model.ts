import type { Estimate } from '../../stats/estimate.ts'
import type { Alternative } from '../../stats/index.ts'

/** What is known before the runs: how they will be compared, and how sure the result should be. */
export interface Aim {
  readonly alpha: number
  readonly power: number
  readonly alternative: Alternative
}

/** How power, number of units and size of the difference hang together, for one kind of data and design. */
export interface PowerModel {
  readonly design: 'paired' | 'two groups'
  readonly data: 'means' | 'proportions' | 'paired yes or no' | 'pilot'
  /** What is counted: `pairs`, `runs in each arm`, `tasks`. */
  readonly units: string
  /** Whether effects are in units of the sd, because none was given. */
  readonly isStandardised: boolean
  /** The fewest units that it can say anything about. */
  readonly fewest: number
  powerAt(n: number, effect: number): Estimate<number>
  runsFor(effect: number): Estimate<number>
  /** In the direction, if one is given. */
  effectFor(n: number, direction?: Direction): Estimate<number>
  /** Half the width of the interval that so many units are expected to give. */
  halfWidthAt(n: number): Estimate<number>
  runsForHalfWidth(halfWidth: number): Estimate<number>
  /** Where the needed number of units may lie, as what is known of the spread is itself uncertain; null where it is just assumed. */
  rangeFor(effect: number): Estimate<{ readonly low: number; readonly high: number }> | null
  readonly assumptions: readonly string[]
  /** What should be known about answers for these numbers of units. */
  caveatFor?(sizes: readonly number[]): string | null
}

/** Of a difference: candidate above control, or below. */
export type Direction = 1 | -1
