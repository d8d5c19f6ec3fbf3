import { centralError, centralTo, scaledTail } from './cody.ts'
import { centre, far, near, ratio } from './wichura.ts'

/** Above this a tail is a continued fraction, below it is ½ minus a series. */
const tailFrom = 2
const logRootTwoPi = 0.9189385332046728

export function normalDensity(z: number): number {
  return 0.3989422804014327 * expMinusHalfSquare(z)
}

/** P(Z ≤ z), with relative accuracy in the lower tail. */
export function normalCdf(z: number): number {
  return normalSurvival(-z)
}

/** P(Z > z), with relative accuracy in the upper tail. */
export function normalSurvival(z: number): number {
  if (z >= tailFrom) return normalDensity(z) * millsRatio(z)
  if (z <= -tailFrom) return 1 - normalDensity(z) * millsRatio(-z)
  return 0.5 - centralArea(z)
}

/** log P(Z > z), when P itself is too small for a double. By rational functions, as integrals call it very often. */
export function logNormalSurvival(z: number): number {
  if (z > 1e8) return -0.5 * z * z - logRootTwoPi - Math.log(z)
  const x = z * Math.SQRT1_2
  if (x >= centralTo) return Math.log(0.5 * scaledTail(x)) - 0.5 * z * z
  if (x <= -centralTo) return Math.log1p(-0.5 * scaledTail(-x) * Math.exp(-x * x))
  return Math.log(0.5 - 0.5 * centralError(x))
}

/**
 * The z with P(Z ≤ z) = p: Wichura 1988, algorithm AS 241 (PPND16), Applied Statistics 37:477.
 * About 1 part in 10¹⁶.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN
  const fromCentre = p - 0.5
  if (Math.abs(fromCentre) <= 0.425) {
    const r = 0.180625 - fromCentre * fromCentre
    return fromCentre * ratio(centre, r)
  }
  const tail = Math.sqrt(-Math.log(Math.min(p, 1 - p)))
  if (tail === Infinity) return fromCentre < 0 ? -Infinity : Infinity
  const z = tail <= 5 ? ratio(near, tail - 1.6) : ratio(far, tail - 5)
  return fromCentre < 0 ? -z : z
}

/** P(0 < Z < z): φ(z) Σ z^(2k+1) / (1 · 3 · 5 ⋯ (2k + 1)), Marsaglia 2004, J. Stat. Softw. 11(4). All terms have one sign. */
function centralArea(z: number): number {
  const square = z * z
  let term = z
  let sum = z
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= square / odd
    sum += term
  }
  return normalDensity(z) * sum
}

/** P(Z > z) / φ(z) = 1 / (z + 1 / (z + 2 / (z + 3 / …))), Laplace's continued fraction from the back. */
function millsRatio(z: number): number {
  if (z > 1e8) return 1 / z
  let tail = z
  for (let k = Math.ceil(12 + 300 / (z * z)); k > 0; k--) tail = z + k / tail
  return 1 / tail
}

/** The square is split so that its rounding error, which the exponential would magnify, is not lost. */
function expMinusHalfSquare(z: number): number {
  if (Math.abs(z) > 40) return 0
  const high = Math.fround(z)
  return Math.exp(-0.5 * high * high) * Math.exp(-0.5 * (z - high) * (z + high))
}
