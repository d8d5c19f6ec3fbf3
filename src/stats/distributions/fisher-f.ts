import { incompleteBeta } from '../special/incomplete-beta.ts'
import { betaQuantilePair } from './beta.ts'
import { chiSquaredQuantile, chiSquaredSurvival } from './chi-squared.ts'

export function fisherFCdf(f: number, df1: number, df2: number): number {
  return f <= 0 ? 0 : fisherFSurvival(1 / f, df2, df1)
}

/** P(F > f); either number of degrees of freedom may be infinite (Abramowitz & Stegun 26.6.2). */
export function fisherFSurvival(f: number, df1: number, df2: number): number {
  if (Number.isNaN(f) || !(df1 > 0 && df2 > 0)) return Number.NaN
  if (f <= 0) return 1
  if (f === Infinity) return 0
  if (df2 === Infinity) return chiSquaredSurvival(df1 * f, df1)
  if (df1 === Infinity) return 1 - chiSquaredSurvival(df2 / f, df2)
  const ratio = (df1 / df2) * f
  return incompleteBeta(df2 / 2, df1 / 2, 1 / (1 + ratio), ratio / (1 + ratio)).lower
}

export function fisherFQuantile(p: number, df1: number, df2: number): number {
  if (!(p >= 0 && p <= 1 && df1 > 0 && df2 > 0)) return Number.NaN
  if (df2 === Infinity) return chiSquaredQuantile(p, df1) / df1
  const { x, y } = betaQuantilePair(p, 1 - p, df1 / 2, df2 / 2)
  return (x / y) * (df2 / df1)
}
