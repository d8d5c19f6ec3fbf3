import { normalCdf, normalQuantile } from '../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import { type Sides, zSum } from './normal-approximation.ts'

export interface TwoProportionsOptions {
  readonly alpha?: number
  readonly power?: number
  readonly sides?: Sides
  /** Runs of the second group per run of the first. */
  readonly ratio?: number
}

export interface ProportionSampleSize {
  readonly cohensH: number
  /** Of the first group, fractional, by Cohen's arcsine transformation. */
  readonly arcsine: number
  /** The same by the pooled variance, without continuity correction (Fleiss 1981). */
  readonly pooled: number
}

export function twoProportionsSampleSize(
  p1: number,
  p2: number,
  { alpha = 0.05, power = 0.8, sides = 2, ratio = 1 }: TwoProportionsOptions = {},
): Estimate<ProportionSampleSize> {
  requireShares(p1, p2)
  if (p1 === p2) return unavailable('zero_effect')
  const h = cohensH(p1, p2)
  const pooled = (p1 + ratio * p2) / (1 + ratio)
  const underNull = -normalQuantile(alpha / sides) * Math.sqrt(pooled * (1 - pooled) * (1 + 1 / ratio))
  const underEffect = normalQuantile(power) * Math.sqrt(p1 * (1 - p1) + (p2 * (1 - p2)) / ratio)
  return {
    cohensH: h,
    arcsine: (1 + 1 / ratio) * (zSum(alpha, power, sides) / h) ** 2,
    pooled: ((underNull + underEffect) / (p1 - p2)) ** 2,
  }
}

/** The probability that groups of n and ratio · n runs show the difference, by the arcsine transformation. */
export function twoProportionsPower(
  p1: number,
  p2: number,
  n: number,
  { alpha = 0.05, sides = 2, ratio = 1 }: Omit<TwoProportionsOptions, 'power'> = {},
): number {
  requireShares(p1, p2)
  const shift = Math.abs(cohensH(p1, p2)) * Math.sqrt((n * ratio) / (1 + ratio))
  const critical = -normalQuantile(alpha / sides)
  return normalCdf(shift - critical) + (sides === 2 ? normalCdf(-shift - critical) : 0)
}

/** Difference of proportions on the arcsine scale, where all variances are equal (Cohen 1988). */
export function cohensH(p1: number, p2: number): number {
  return 2 * (Math.asin(Math.sqrt(p1)) - Math.asin(Math.sqrt(p2)))
}

function requireShares(p1: number, p2: number): void {
  requireThat(Math.min(p1, p2) >= 0 && Math.max(p1, p2) <= 1, 'proportions between 0 and 1')
}
