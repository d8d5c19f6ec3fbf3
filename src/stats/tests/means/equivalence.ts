import { studentTSurvival } from '../../distributions/student-t.ts'
import { type Estimate, requireThat, whenAvailable } from '../../estimate.ts'
import type { Interval } from '../../interval.ts'
import { pairedTTest } from './paired-t.ts'
import { type TTest, tInterval } from './t-inference.ts'
import { welchTest } from './welch.ts'

/** Differences between `low` and `high` do not matter. */
export interface Margins {
  readonly low: number
  readonly high: number
}

/** Two one-sided tests (Schuirmann 1987, J. Pharmacokinet. Biopharm. 15:657): equivalent when p < alpha. */
export interface Equivalence {
  readonly estimate: number
  /** Against "a is below b by the margin or more". */
  readonly pLow: number
  /** Against "a is above b by the margin or more". */
  readonly pHigh: number
  readonly p: number
  /** At level 1 − 2 alpha: inside the margins exactly when p < alpha. */
  readonly interval: Interval
}

export function equivalenceWelch(
  a: readonly number[],
  b: readonly number[],
  margins: Margins,
  alpha = 0.05,
): Estimate<Equivalence> {
  return whenAvailable(welchTest(a, b), test => equivalence(test, margins, alpha))
}

export function equivalencePaired(
  a: readonly number[],
  b: readonly number[],
  margins: Margins,
  alpha = 0.05,
): Estimate<Equivalence> {
  return whenAvailable(pairedTTest(a, b), test => equivalence(test, margins, alpha))
}

export function equivalence(
  { estimate, standardError, df }: Pick<TTest, 'estimate' | 'standardError' | 'df'>,
  { low, high }: Margins,
  alpha: number,
): Equivalence {
  requireThat(low < high, 'a lower margin below the upper one')
  const pLow = studentTSurvival((estimate - low) / standardError, df)
  const pHigh = studentTSurvival((high - estimate) / standardError, df)
  const interval = tInterval(estimate, standardError, df, 1 - 2 * alpha)
  return { estimate, pLow, pHigh, p: Math.max(pLow, pHigh), interval }
}

/** The one-sided test that a is not worse than b by `margin`; equivalent to `interval.low` above −margin. */
export interface NonInferiority {
  readonly estimate: number
  readonly p: number
  readonly interval: Interval
}

export function nonInferiorityWelch(
  a: readonly number[],
  b: readonly number[],
  margin: number,
  alpha = 0.05,
): Estimate<NonInferiority> {
  return whenAvailable(welchTest(a, b), test => nonInferiority(test, margin, alpha))
}

export function nonInferiorityPaired(
  a: readonly number[],
  b: readonly number[],
  margin: number,
  alpha = 0.05,
): Estimate<NonInferiority> {
  return whenAvailable(pairedTTest(a, b), test => nonInferiority(test, margin, alpha))
}

/** Higher is better here; callers change the sign of metrics to be minimised. */
export function nonInferiority(
  { estimate, standardError, df }: Pick<TTest, 'estimate' | 'standardError' | 'df'>,
  margin: number,
  alpha: number,
): NonInferiority {
  requireThat(margin >= 0, 'a margin of 0 or more')
  const p = studentTSurvival((estimate + margin) / standardError, df)
  return { estimate, p, interval: tInterval(estimate, standardError, df, 1 - 2 * alpha) }
}
