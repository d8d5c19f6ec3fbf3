import { incompleteGamma } from '../special/incomplete-gamma.ts'
import { stirlingError } from '../special/log-gamma.ts'
import { integratePeak } from '../special/trapezoid.ts'
import { logNormalSurvival, normalDensity, normalSurvival } from './normal.ts'

/**
 * P(T > t), where T = (Z + shift) / S with S² = χ² / df: the power of a t test. Given S the answer is a normal tail;
 * the rest is one integral over log S. No term is negative, so unlike in the usual series (Lenth 1989, AS 243) nothing
 * cancels or underflows: both tails are relatively accurate at any df and shift.
 */
export function noncentralTSurvival(t: number, df: number, shift: number): number {
  return tail(t, df, shift, 1)
}

/** P(T ≤ t). */
export function noncentralTCdf(t: number, df: number, shift: number): number {
  return tail(t, df, shift, -1)
}

function tail(t: number, df: number, shift: number, side: 1 | -1): number {
  if (Number.isNaN(t) || Number.isNaN(shift) || !(df > 0)) return Number.NaN
  if (t === Infinity || t === -Infinity) return t > 0 === side > 0 ? 0 : 1
  if (df === Infinity) return normalSurvival(side * (t - shift))
  if (t === 0) return normalSurvival(-side * shift)
  if (t * shift > 0 && Math.abs(shift) > 50 && df < Math.abs(shift)) return sharpTail(t, df, shift, side)
  const logScale = Math.log(2) + 0.5 * Math.log(df / (4 * Math.PI)) - stirlingError(df / 2)
  const logDensity = (u: number) => {
    const s = Math.exp(u)
    // χ with df degrees of freedom over √df, on the logarithmic scale.
    const spread = df * (u - Math.expm1(2 * u) / 2)
    return logScale + spread + logNormalSurvival(side * (t * s - shift))
  }
  return Math.min(1, integratePeak(logDensity, 0, 1 / Math.sqrt(2 * df)))
}

/**
 * The same integral over Z instead, for shifts so large that the normal tail becomes a cliff in S: given Z, T > t if S
 * is below (Z + shift) / t. The possibility that Z + shift has the other sign is negligible here.
 */
function sharpTail(t: number, df: number, shift: number, side: 1 | -1): number {
  const [far, distance] = t > 0 ? [t, shift] : [-t, -shift]
  const isUpper = t > 0 === side > 0
  const logDensity = (z: number) => {
    const s = Math.max(0, z + distance) / far
    const { lower, upper } = incompleteGamma(df / 2, (df / 2) * s * s)
    return Math.log(normalDensity(z)) + Math.log(isUpper ? lower : upper)
  }
  return Math.min(1, integratePeak(logDensity, 0, 1))
}
