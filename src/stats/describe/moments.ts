import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import { sum } from './sum.ts'
import { ifUsable, unusableSums } from './usable.ts'

export function mean(values: readonly number[]): Estimate<number> {
  return unusableSums(values) ?? meanOf(values)
}

/** With n − 1. */
export function variance(values: readonly number[]): Estimate<number> {
  return ifUsable(values, 2, () => sumOfSquares(values) / (values.length - 1))
}

export function standardDeviation(values: readonly number[]): Estimate<number> {
  return whenAvailable(variance(values), Math.sqrt)
}

export function standardError(values: readonly number[]): Estimate<number> {
  return whenAvailable(variance(values), spread => Math.sqrt(spread / values.length))
}

/** sd / |mean|. A mean that is 0 up to rounding has no meaningful one. */
export function coefficientOfVariation(values: readonly number[]): Estimate<number> {
  return whenAvailable(standardDeviation(values), spread => {
    const centre = meanOf(values)
    return Math.abs(centre) <= roundingOf(values) ? unavailable('zero_mean') : spread / Math.abs(centre)
  })
}

/** Adjusted Fisher-Pearson skewness G₁ (Joanes & Gill 1998, The Statistician 47:183). */
export function skewness(values: readonly number[]): Estimate<number> {
  return ifUsable(values, 3, () => {
    if (isConstant(values)) return unavailable('zero_variance')
    const n = values.length
    const centre = meanOf(values)
    const third = sum(values.map(value => (value - centre) ** 3)) / n
    const second = sumOfSquares(values) / n
    return ((third / second ** 1.5) * Math.sqrt(n * (n - 1))) / (n - 2)
  })
}

/** The mean of values already known to be usable. */
export function meanOf(values: readonly number[]): number {
  return sum(values) / values.length
}

/**
 * Σ (x − mean)², in two passes with the correction for the mean's own rounding (Chan, Golub & LeVeque 1983, Am. Stat. 37:242):
 * an offset of 10⁹ costs nothing.
 */
export function sumOfSquares(values: readonly number[]): number {
  if (isConstant(values)) return 0
  const centre = meanOf(values)
  const deviations = values.map(value => value - centre)
  const drift = sum(deviations)
  return Math.max(0, sum(deviations.map(deviation => deviation * deviation)) - (drift * drift) / values.length)
}

/** Whether the values differ by no more than the rounding of decimal numbers of their size: 0.1 + 0.2 is 0.3 here. */
export function isConstant(values: readonly number[]): boolean {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return high - low <= roundingOf([low, high])
}

/** The rounding error that values of this size may carry. */
export function roundingOf(values: readonly number[]): number {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  return 4 * Number.EPSILON * largest
}
