import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'

export type Sides = 1 | 2

/** z of the level plus z of the power: the common part of all sample sizes by the normal approximation. */
export function zSum(alpha: number, power: number, sides: Sides): number {
  requireThat(alpha > 0 && alpha < 1 && power > 0 && power < 1, 'alpha and power between 0 and 1')
  return -normalQuantile(alpha / sides) + normalQuantile(power)
}

/** Pairs needed to find a mean difference of `effect` when differences have this sd. Optimistic below about 30: prefer the t test's. */
export function pairsByNormalApproximation(
  effect: number,
  sd: number,
  { alpha = 0.05, power = 0.8, sides = 2 }: { alpha?: number; power?: number; sides?: Sides } = {},
): Estimate<number> {
  if (effect === 0) return unavailable('zero_effect')
  if (!(sd > 0)) return unavailable('zero_variance')
  return ((zSum(alpha, power, sides) * sd) / effect) ** 2
}
