import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import { isConstant, meanOf, sumOfSquares } from './moments.ts'
import { sorted, sortedQuantile } from './quantile.ts'
import { ifUsable } from './usable.ts'

/** Median distance from the median, unscaled; times 1.4826 it estimates a normal sd. */
export function medianAbsoluteDeviation(values: readonly number[]): Estimate<number> {
  return ifUsable(values, 1, () => {
    const centre = sortedQuantile(sorted(values), 0.5)
    return sortedQuantile(sorted(values.map(value => Math.abs(value - centre))), 0.5)
  })
}

/** The mean without the lowest and the highest ⌊trim · n⌋ values. */
export function trimmedMean(values: readonly number[], trim: number): Estimate<number> {
  return ifUsable(values, 1, () => meanOf(trimmed(values, trim)))
}

/** Variance (n − 1) after the ⌊trim · n⌋ values at each end are replaced by the nearest one kept. */
export function winsorisedVariance(values: readonly number[], trim: number): Estimate<number> {
  return ifUsable(values, 2, () => sumOfSquares(winsorised(values, trim)) / (values.length - 1))
}

/** In increasing order. */
export function trimmed(values: readonly number[], trim: number): number[] {
  const cut = cutAt(values.length, trim)
  return sorted(values).slice(cut, values.length - cut)
}

/** In increasing order. */
function winsorised(values: readonly number[], trim: number): number[] {
  const kept = trimmed(values, trim)
  const [low = Number.NaN] = kept
  const high = kept.at(-1) ?? Number.NaN
  return sorted(values).map(value => Math.min(Math.max(value, low), high))
}

/** The sd of a trimmed mean: winsorised sd / ((1 − 2 trim) √n) (Tukey & McLaughlin 1963, Sankhyā A 25:331). */
export function trimmedStandardError(values: readonly number[], trim: number): Estimate<number> {
  return ifUsable(values, 2, () => {
    const kept = trimmed(values, trim).length
    const pulled = winsorised(values, trim)
    if (kept < 2) return unavailable('too_few_values')
    if (isConstant(pulled)) return unavailable('zero_variance')
    return Math.sqrt(sumOfSquares(pulled) / (kept * (kept - 1)))
  })
}

function cutAt(n: number, trim: number): number {
  requireThat(trim >= 0 && trim < 0.5, 'a share to trim from 0 up to, but not, 0.5')
  // 0.2 · 15 is 3, whatever the product rounds to.
  return Math.floor(trim * n + 1e-9)
}
