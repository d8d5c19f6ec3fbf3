import { incompleteBeta } from '../special/incomplete-beta.ts'
import { betaQuantilePair } from './beta.ts'
import { normalDensity, normalQuantile, normalSurvival } from './normal.ts'

/** P(T ≤ t); `df` need not be whole and may be infinite. */
export function studentTCdf(t: number, df: number): number {
  return studentTSurvival(-t, df)
}

/** P(T > t), with relative accuracy in the upper tail (Abramowitz & Stegun 26.7.1). */
export function studentTSurvival(t: number, df: number): number {
  if (Number.isNaN(t) || !(df > 0)) return Number.NaN
  if (t < 0) return 1 - studentTSurvival(-t, df)
  if (t === Infinity) return 0
  if (df > almostNormalFrom) return almostNormal(t, df)
  const ratio = (t / df) * t
  return 0.5 * incompleteBeta(df / 2, 0.5, 1 / (1 + ratio), ratio / (1 + ratio)).lower
}

/** P(|T| > |t|). */
export function studentTTwoSided(t: number, df: number): number {
  return 2 * studentTSurvival(Math.abs(t), df)
}

export function studentTQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1 && df > 0)) return Number.NaN
  if (p === 0.5) return 0
  if (p < 0.5) return -studentTUpperQuantile(p, df)
  return studentTUpperQuantile(1 - p, df)
}

/** The t > 0 with P(T > t) = tail ≤ ½: for levels like 1 − 1e-20 that cannot be written as a lower probability. */
export function studentTUpperQuantile(tail: number, df: number): number {
  if (tail === 0) return Infinity
  if (df > almostNormalFrom) return cornishFisher(-normalQuantile(tail), df)
  const { x, y } = betaQuantilePair(2 * tail, 1 - 2 * tail, df / 2, 0.5)
  return Math.sqrt(df) * Math.sqrt(y / x)
}

const almostNormalFrom = 1e10

/** One term of Fisher's expansion in 1 / df (Abramowitz & Stegun 26.7.8's inverse); the next is below 1e-13 here. */
function almostNormal(t: number, df: number): number {
  if (df === Infinity || t > 1000) return normalSurvival(t)
  return normalSurvival(t) + (normalDensity(t) * t * (t * t + 1)) / (4 * df)
}

/** Abramowitz & Stegun 26.7.5, first term. */
function cornishFisher(z: number, df: number): number {
  return z + (z * (z * z + 1)) / (4 * df)
}
