import { isConstant, meanOf, sumOfSquares } from '../../describe/moments.ts'
import { sorted } from '../../describe/quantile.ts'
import { sum } from '../../describe/sum.ts'
import { unusable } from '../../describe/usable.ts'
import { normalQuantile, normalSurvival } from '../../distributions/normal.ts'
import { type Estimate, unavailable } from '../../estimate.ts'

export interface ShapiroWilk {
  readonly w: number
  readonly p: number
}

/** Whether a sample may be normal (Shapiro & Wilk 1965; weights and p of Royston 1995, AS R94, for n from 3 to 5000). */
export function shapiroWilkTest(values: readonly number[]): Estimate<ShapiroWilk> {
  const reason = unusable(values, 3)
  if (reason !== undefined) return reason
  if (values.length > 5000) return unavailable('too_many_values')
  if (isConstant(values)) return unavailable('zero_variance')
  const ordered = sorted(values)
  const centre = meanOf(ordered)
  const total = sumOfSquares(ordered)
  const weights = weightsOf(ordered.length)
  const weighted = sum(ordered.map((value, at) => (weights[at] ?? 0) * (value - centre)))
  // Rounding may raise a perfect fit above 1.
  const w = Math.min(1, (weighted * weighted) / total)
  return { w, p: significance(w, missing(ordered, centre, total, weights, w), ordered.length) }
}

/** 1 − W as Σ (x − fit)² relative to Σ (x − mean)², which does not cancel when W is near 1. */
function missing(
  ordered: readonly number[],
  centre: number,
  total: number,
  weights: readonly number[],
  w: number,
): number {
  const slope = Math.sqrt(w * total)
  const residuals = ordered.map((value, at) => value - centre - slope * (weights[at] ?? 0))
  return sum(residuals.map(residual => residual * residual)) / total
}

/** Antisymmetric, of length 1. */
function weightsOf(n: number): number[] {
  const half = Math.floor(n / 2)
  const upper = n === 3 ? [Math.SQRT1_2] : roystonWeights(n, half)
  const weights = new Array<number>(n).fill(0)
  for (const [at, weight] of upper.entries()) {
    weights[at] = -weight
    weights[n - 1 - at] = weight
  }
  return weights
}

/** The outermost one or two by polynomials in 1 / √n, the rest in proportion to expected normal order statistics (Blom scores). */
function roystonWeights(n: number, half: number): number[] {
  const scores = Array.from({ length: half }, (_, at) => -normalQuantile((at + 1 - 0.375) / (n + 0.25)))
  const squares = 2 * sum(scores.map(score => score * score))
  const scale = Math.sqrt(squares)
  const x = 1 / Math.sqrt(n)
  const [first = 0, second = 0] = scores
  const outermost = polynomial([0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056], x) + first / scale
  if (n <= 5) {
    const rest = Math.sqrt((squares - 2 * first ** 2) / (1 - 2 * outermost ** 2))
    return [outermost, ...scores.slice(1).map(score => score / rest)]
  }
  const next = polynomial([0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633], x) + second / scale
  const rest = Math.sqrt((squares - 2 * first ** 2 - 2 * second ** 2) / (1 - 2 * outermost ** 2 - 2 * next ** 2))
  return [outermost, next, ...scores.slice(2).map(score => score / rest)]
}

/** Royston's substitute for p at the end of the scale, where W can't be lower. */
const smallestP = 1e-99

/** W after Royston's transformation is normal; for three values its distribution is known. */
function significance(w: number, missingShare: number, n: number): number {
  if (n === 3) {
    const least = Math.asin(Math.sqrt(0.75))
    return Math.max(smallestP, (6 / Math.PI) * (Math.asin(Math.sqrt(w)) - least))
  }
  const y = Math.log(missingShare)
  if (y === -Infinity) return 1
  const log = Math.log(n)
  if (n <= 11) {
    const limit = polynomial([-2.273, 0.459], n)
    if (y >= limit) return smallestP
    const mean = polynomial([0.544, -0.39978, 0.025054, -6.714e-4], n)
    const sd = Math.exp(polynomial([1.3822, -0.77857, 0.062767, -0.0020322], n))
    return normalSurvival((-Math.log(limit - y) - mean) / sd)
  }
  const mean = polynomial([-1.5861, -0.31082, -0.083751, 0.0038915], log)
  const sd = Math.exp(polynomial([-0.4803, -0.082676, 0.0030302], log))
  return normalSurvival((y - mean) / sd)
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((total, coefficient) => total * x + coefficient, 0)
}
