import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { studentTTwoSided } from '../distributions/student-t.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import { requireLevel } from '../tests/alternative.ts'

export interface Correlation {
  readonly estimate: number
  readonly p: Estimate<number>
  readonly interval: Estimate<{ readonly low: number; readonly high: number }>
  readonly pairs: number
}

/** How close to a straight line; interval by Fisher 1921, p from Student's t with n − 2 degrees of freedom. */
export function pearsonCorrelation(
  x: readonly number[],
  y: readonly number[],
  { level = 0.95 }: { readonly level?: number } = {},
): Estimate<Correlation> {
  requireThat(x.length === y.length, `pairs: as many values on both sides, not ${x.length} and ${y.length}`)
  requireLevel(level)
  const reason = firstUnusable([x, y], 2)
  if (reason !== undefined) return reason
  const spread = Math.sqrt(sumOfSquares(x)) * Math.sqrt(sumOfSquares(y))
  // Also zero if the squares of tiny values are too small for a double.
  if (spread === 0) return unavailable('zero_variance')
  const meanX = meanOf(x)
  const meanY = meanOf(y)
  const together = x.reduce((sum, value, at) => sum + (value - meanX) * ((y[at] ?? 0) - meanY), 0)
  const estimate = clamp(together / spread)
  return {
    estimate,
    pairs: x.length,
    p: twoSidedP(estimate, x.length),
    interval: fisherInterval(estimate, x.length, level),
  }
}

/** A perfect line has no scatter: then, and with two points, there is no p. */
function twoSidedP(correlation: number, pairs: number): Estimate<number> {
  if (pairs < 3) return unavailable('too_few_values')
  const rest = (1 - correlation) * (1 + correlation)
  if (rest <= 4 * Number.EPSILON) return unavailable('zero_variance')
  return studentTTwoSided(correlation * Math.sqrt((pairs - 2) / rest), pairs - 2)
}

export function fisherInterval(correlation: number, pairs: number, level: number, variance = 1) {
  if (pairs < 4) return unavailable('too_few_values')
  if (Math.abs(correlation) >= 1) return unavailable('zero_variance')
  const half = normalQuantile((1 + level) / 2) * Math.sqrt(variance / (pairs - 3))
  const z = Math.atanh(correlation)
  return { low: Math.tanh(z - half), high: Math.tanh(z + half) }
}

/** A correlation of 1 up to rounding is 1. */
function clamp(correlation: number): number {
  return Math.abs(correlation) > 1 - 4 * Number.EPSILON ? Math.sign(correlation) : correlation
}
