import { meanOf, sumOfSquares } from '../../describe/moments.ts'
import { firstUnusable } from '../../describe/usable.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { type TTest, type TTestOptions, tInference } from './t-inference.ts'

/** Mean of a minus mean of b, variances not assumed equal (Welch 1947, Biometrika 34:28; df of Satterthwaite 1946). */
export function welchTest(a: readonly number[], b: readonly number[], options?: TTestOptions): Estimate<TTest> {
  return unpooled(a, b, options, welchDf)
}

/**
 * The same for few values against more. Satterthwaite's degrees of freedom follow the observed variances, and that of
 * two or three values is often far too small: 2 against 20 normal values of one mean differ in 12% of experiments, 3
 * against 10 in 8%. The degrees of freedom of the smaller group alone are a lower bound for any variances (Mickey &
 * Brown 1966, Ann. Math. Stat. 37:639).
 */
export function steadyWelchTest(a: readonly number[], b: readonly number[], options?: TTestOptions): Estimate<TTest> {
  const [fewer, more] = [Math.min(a.length, b.length), Math.max(a.length, b.length)]
  const areFew = fewer < more && (fewer < 4 || (fewer === 4 && more >= 8))
  return unpooled(a, b, options, areFew ? () => fewer - 1 : welchDf)
}

function unpooled(
  a: readonly number[],
  b: readonly number[],
  options: TTestOptions | undefined,
  dfOf: typeof welchDf,
): Estimate<TTest> {
  const reason = firstUnusable([a, b], 2)
  if (reason !== undefined) return reason
  const partA = sumOfSquares(a) / (a.length - 1) / a.length
  const partB = sumOfSquares(b) / (b.length - 1) / b.length
  if (partA + partB === 0) return unavailable('zero_variance')
  return tInference(meanOf(a) - meanOf(b), Math.sqrt(partA + partB), dfOf(partA, a.length, partB, b.length), options)
}

/** Degrees of freedom of a sum of two squared standard errors; in shares, so that tiny variances do not underflow. */
export function welchDf(squaredErrorA: number, nA: number, squaredErrorB: number, nB: number): number {
  const share = squaredErrorA / (squaredErrorA + squaredErrorB)
  return 1 / (share ** 2 / (nA - 1) + (1 - share) ** 2 / (nB - 1))
}

/** The same with one common variance (Student 1908). */
export function pooledTTest(a: readonly number[], b: readonly number[], options?: TTestOptions): Estimate<TTest> {
  const reason = firstUnusable([a, b])
  if (reason !== undefined) return reason
  const df = a.length + b.length - 2
  if (df < 1) return unavailable('too_few_values')
  const pooled = (sumOfSquares(a) + sumOfSquares(b)) / df
  if (pooled === 0) return unavailable('zero_variance')
  const standardError = Math.sqrt(pooled * (1 / a.length + 1 / b.length))
  return tInference(meanOf(a) - meanOf(b), standardError, df, options)
}
