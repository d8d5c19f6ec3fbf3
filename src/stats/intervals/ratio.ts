import { pairedDifferences } from '../describe/differences.ts'
import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { studentTUpperQuantile } from '../distributions/student-t.ts'
import { type Estimate, isAvailable, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'
import { welchDf } from '../tests/means/welch.ts'

export interface RatioInterval extends Interval {
  readonly ratio: number
}

/** Mean of a over mean of b, independent groups with their own variances (Fieller 1954, JRSS B 16:175; df of Welch at the estimate). */
export function ratioInterval(a: readonly number[], b: readonly number[], level = 0.95): Estimate<RatioInterval> {
  const reason = firstUnusable([a, b], 2)
  if (reason !== undefined) return reason
  const varianceA = sumOfSquares(a) / (a.length - 1) / a.length
  const varianceB = sumOfSquares(b) / (b.length - 1) / b.length
  const ratio = meanOf(a) / meanOf(b)
  const df = welchDf(varianceA, a.length, ratio * ratio * varianceB, b.length)
  return fieller(meanOf(a), meanOf(b), { varianceA, varianceB, covariance: 0 }, df, level)
}

/** The same over pairs: cost per success, time relative to a baseline on the same tasks. */
export function pairedRatioInterval(a: readonly number[], b: readonly number[], level = 0.95): Estimate<RatioInterval> {
  const differences = pairedDifferences(a, b)
  if (!isAvailable(differences)) return differences
  const n = a.length
  if (n < 2) return unavailable('too_few_values')
  const perMean = n * (n - 1)
  const varianceA = sumOfSquares(a) / perMean
  const varianceB = sumOfSquares(b) / perMean
  const covariance = (varianceA + varianceB - sumOfSquares(differences.values) / perMean) / 2
  return fieller(meanOf(a), meanOf(b), { varianceA, varianceB, covariance }, n - 1, level)
}

interface Errors {
  readonly varianceA: number
  readonly varianceB: number
  readonly covariance: number
}

/** The ratios r for which a − r b is not significantly different from 0. */
function fieller(a: number, b: number, errors: Errors, df: number, level: number): Estimate<RatioInterval> {
  requireLevel(level)
  const { varianceA, varianceB, covariance } = errors
  if (b === 0) return unavailable('zero_mean')
  if (varianceA + varianceB === 0) return unavailable('zero_variance')
  const square = studentTUpperQuantile((1 - level) / 2, df) ** 2
  const curvature = b * b - square * varianceB
  // The denominator is not distinguishable from 0: every ratio beyond some point is possible.
  if (curvature <= 0) return unavailable('unbounded')
  const middle = (a * b - square * covariance) / curvature
  const reach = Math.sqrt(Math.max(0, middle * middle - (a * a - square * varianceA) / curvature))
  return { ratio: a / b, level, low: middle - reach, high: middle + reach }
}
