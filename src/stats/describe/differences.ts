import { type Estimate, requireThat } from '../estimate.ts'
import { roundingOf } from './moments.ts'
import { unusable } from './usable.ts'

/**
 * Differences of pairs, with the possible rounding error of subtracting decimal numbers: 1.1 − 1.0 and 2.1 − 2.0 are
 * one difference.
 */
export interface Differences {
  readonly values: readonly number[]
  readonly rounding: number
}

export function pairedDifferences(a: readonly number[], b: readonly number[]): Estimate<Differences> {
  requireThat(a.length === b.length, `pairs: as many values on both sides, not ${a.length} and ${b.length}`)
  const reason = unusable(a) ?? unusable(b)
  if (reason !== undefined) return reason
  const values = a.map((value, at) => value - (b[at] ?? Number.NaN))
  return unusable(values) ?? { values, rounding: Math.max(roundingOf(a), roundingOf(b)) }
}

/** For values that already are differences: their origin is unknown. */
export function knownDifferences(values: readonly number[]): Estimate<Differences> {
  return unusable(values) ?? { values, rounding: 0 }
}

/** Whether the differences are all the same up to rounding. */
export function areConstant({ values, rounding }: Differences): boolean {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return high - low <= Math.max(rounding, roundingOf([low, high]))
}

/** Differences that are 0 up to rounding have no sign. */
export function isZero(value: number, { rounding }: Differences): boolean {
  return Math.abs(value) <= rounding
}
