import { areConstant, type Differences } from '../describe/differences.ts'
import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import { logGammaRatio } from '../special/log-gamma.ts'

/** Difference of means in units of the pooled sd. */
export function cohensD(a: readonly number[], b: readonly number[]): Estimate<number> {
  const reason = firstUnusable([a, b])
  if (reason !== undefined) return reason
  const df = a.length + b.length - 2
  if (df < 1) return unavailable('too_few_values')
  const pooled = (sumOfSquares(a) + sumOfSquares(b)) / df
  return pooled === 0 ? unavailable('zero_variance') : (meanOf(a) - meanOf(b)) / Math.sqrt(pooled)
}

/** Cohen's d without its bias in small samples (Hedges 1981, J. Educ. Stat. 6:107). */
export function hedgesG(a: readonly number[], b: readonly number[]): Estimate<number> {
  return whenAvailable(cohensD(a, b), d => {
    const df = a.length + b.length - 2
    return df < 2 ? unavailable('too_few_values') : d * smallSampleFactor(df)
  })
}

/** J(df) = Γ(df / 2) / (√(df / 2) Γ((df − 1) / 2)), not its usual approximation 1 − 3 / (4 df − 1). */
export function smallSampleFactor(df: number): number {
  return Math.exp(logGammaRatio((df - 1) / 2, 0.5) - 0.5 * Math.log(df / 2))
}

/** Difference of means in units of the control's sd (Glass 1976, Educ. Res. 5:3). */
export function glassDelta(candidate: readonly number[], control: readonly number[]): Estimate<number> {
  const reason = firstUnusable([candidate]) ?? firstUnusable([control], 2)
  if (reason !== undefined) return reason
  const spread = Math.sqrt(sumOfSquares(control) / (control.length - 1))
  return spread === 0 ? unavailable('zero_variance') : (meanOf(candidate) - meanOf(control)) / spread
}

/** Mean difference of pairs in units of the sd of the differences. */
export function cohensDz(differences: Differences): Estimate<number> {
  const { values } = differences
  if (values.length < 2) return unavailable('too_few_values')
  const spread = Math.sqrt(sumOfSquares(values) / (values.length - 1))
  return areConstant(differences) || spread === 0 ? unavailable('zero_variance') : meanOf(values) / spread
}
