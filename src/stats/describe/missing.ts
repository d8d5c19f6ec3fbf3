import type { Estimate } from '../estimate.ts'
import { meanOf } from './moments.ts'
import { ifUsable } from './usable.ts'

/** The values that are numbers, and how many were not: dropping them is the caller's decision, and counted. */
export function omitNaN(values: readonly number[]): { readonly values: readonly number[]; readonly dropped: number } {
  const kept = values.filter(value => !Number.isNaN(value))
  return { values: kept, dropped: values.length - kept.length }
}

/** Pairs in which both sides are numbers, and how many were not. */
export function omitNaNPairs(
  a: readonly number[],
  b: readonly number[],
): { readonly a: readonly number[]; readonly b: readonly number[]; readonly dropped: number } {
  const isWhole = a.map((value, at) => !Number.isNaN(value) && !Number.isNaN(b[at] ?? Number.NaN))
  const kept = <T>(values: readonly T[]) => values.filter((_, at) => isWhole[at])
  return { a: kept(a), b: kept(b), dropped: isWhole.filter(whole => !whole).length }
}

/** Missing values counted as `value`: a crashed run as a score of 0, if that was declared beforehand. */
export function replaceNaN(
  values: readonly number[],
  value: number,
): { readonly values: readonly number[]; readonly replaced: number } {
  const filled = values.map(item => (Number.isNaN(item) ? value : item))
  return { values: filled, replaced: omitNaN(values).dropped }
}

/**
 * The mean if every missing value were the worst possible, and if every one were the best: the possible effect of
 * dropping them (Manski 1990, Am. Econ. Rev. 80:319).
 */
export function meanWithinBounds(
  values: readonly number[],
  range: { readonly low: number; readonly high: number },
): Estimate<{ readonly low: number; readonly high: number }> {
  const worst = replaceNaN(values, range.low).values
  return ifUsable(worst, 1, () => ({ low: meanOf(worst), high: meanOf(replaceNaN(values, range.high).values) }))
}
