import { stirlingError } from '../special/log-gamma.ts'
import { integratePeak } from '../special/trapezoid.ts'
import { normalCdf, normalDensity } from './normal.ts'

/**
 * P(Q ≤ q) for the range of `groups` normal values over an independent estimate of their sd (Lund & Lund 1983, AS 190).
 * With infinite `df` the sd is known, as after ranking (Nemenyi).
 */
export function studentizedRangeCdf(q: number, groups: number, df: number = Infinity): number {
  if (Number.isNaN(q) || !(groups >= 2 && df > 0)) return Number.NaN
  if (q <= 0) return 0
  if (df === Infinity) return rangeCdf(q, groups)
  const logScale = Math.log(2) + 0.5 * Math.log(df / (4 * Math.PI)) - stirlingError(df / 2)
  const logDensity = (u: number) =>
    logScale + df * (u - Math.expm1(2 * u) / 2) + Math.log(rangeCdf(q * Math.exp(u), groups))
  return Math.min(1, integratePeak(logDensity, 0, 1 / Math.sqrt(2 * df)))
}

export function studentizedRangeQuantile(p: number, groups: number, df: number = Infinity): number {
  if (!(p >= 0 && p < 1)) return p === 1 ? Infinity : Number.NaN
  let low = 0
  let high = 4
  while (studentizedRangeCdf(high, groups, df) < p) {
    low = high
    high *= 2
  }
  while (high - low > 1e-13 * high) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) break
    if (studentizedRangeCdf(middle, groups, df) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** k ∫ φ(z) [Φ(z + q) − Φ(z)]^(k − 1) dz, z being the smallest of the k values. */
function rangeCdf(q: number, groups: number): number {
  const logDensity = (z: number) => Math.log(normalDensity(z)) + (groups - 1) * Math.log(between(z, z + q))
  return Math.min(1, groups * integratePeak(logDensity, -q / 2, 1 / Math.sqrt(groups)))
}

/** P(low < Z < high), computed from the side on which neither is near 1. */
function between(low: number, high: number): number {
  return low > 0 ? normalCdf(-low) - normalCdf(-high) : normalCdf(high) - normalCdf(low)
}
