import { coefficientOfVariation } from '../describe/moments.ts'
import { chiSquaredQuantile } from '../distributions/chi-squared.ts'
import { noncentralTSurvival } from '../distributions/noncentral-t.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { zeroOf } from '../special/zero-of.ts'
import { requireLevel } from '../tests/alternative.ts'

export interface CvInterval extends Interval {
  readonly estimate: number
  readonly method: 'vangel' | 'exact'
}

/**
 * The interval of the true coefficient of variation, for approximately normal values. `high` is Infinity if the mean
 * may be 0. Up to 0.1 by Vangel 1996 ("Confidence intervals for a normal coefficient of variation", Am. Stat. 50:21),
 * which is practically exact there; above, exactly, from the noncentral t distribution of √n · mean / sd (Johnson &
 * Welch 1940, Biometrika 31:362).
 */
export function cvInterval(values: readonly number[], level = 0.95): Estimate<CvInterval> {
  requireLevel(level)
  const miss = (1 - level) / 2
  return whenAvailable(coefficientOfVariation(values), estimate => ({
    estimate,
    level,
    method: methodFor(estimate),
    low: cvBound(estimate, values.length, 1 - miss),
    high: cvBound(estimate, values.length, miss),
  }))
}

/**
 * The CV for which a sample's would be at least as small as the observed one with probability `share`: small shares
 * bound it from above.
 */
export function cvBound(estimate: number, size: number, share: number): number {
  if (estimate === 0) return 0
  return methodFor(estimate) === 'vangel' ? vangelBound(estimate, size, share) : exactBound(estimate, size, share)
}

function methodFor(estimate: number): CvInterval['method'] {
  return estimate <= 0.1 ? 'vangel' : 'exact'
}

function vangelBound(estimate: number, size: number, share: number): number {
  const df = size - 1
  const u = chiSquaredQuantile(share, df)
  const square = ((u + 2) / size - 1) * estimate ** 2 + u / df
  return square <= 0 ? Infinity : estimate / Math.sqrt(square)
}

/** The shift at which a t as large as √n / CV has this probability, which increases with the shift. */
function exactBound(estimate: number, size: number, share: number): number {
  const root = Math.sqrt(size)
  const t = root / estimate
  const probability = (shift: number): number => noncentralTSurvival(t, size - 1, shift)
  if (probability(0) >= share) return Infinity
  let high = t
  while (probability(high) < share) high *= 2
  // As normal quantiles the probabilities are nearly linear.
  const wanted = normalQuantile(share)
  return root / zeroOf(shift => normalQuantile(probability(shift)) - wanted, 0, high)
}
