import { gammaFront, incompleteGamma } from '../special/incomplete-gamma.ts'
import { rootOfConcave } from '../special/newton.ts'

export function chiSquaredCdf(x: number, df: number): number {
  return incompleteGamma(df / 2, x / 2).lower
}

export function chiSquaredSurvival(x: number, df: number): number {
  return incompleteGamma(df / 2, x / 2).upper
}

/** Newton on the logarithm of the smaller tail over log x: the logarithm of a gamma variable is log-concave. */
export function chiSquaredQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1 && df > 0)) return Number.NaN
  if (p === 0) return 0
  if (p === 1) return Infinity
  const a = df / 2
  const u = rootOfConcave(Math.log(a), at => {
    const x = Math.exp(at)
    const { lower, upper } = incompleteGamma(a, x)
    const density = gammaFront(a, x)
    return p <= 0.5 ? [Math.log(lower / p), density / lower] : [Math.log(upper / (1 - p)), -density / upper]
  })
  return 2 * Math.exp(u)
}
