import { studentTSurvival, studentTUpperQuantile } from '../../distributions/student-t.ts'
import type { Interval } from '../../interval.ts'
import { type Alternative, requireLevel, symmetricP } from '../alternative.ts'

/** What every t test reports. The interval is two-sided whatever the alternative. */
export interface TTest {
  readonly estimate: number
  readonly standardError: number
  readonly t: number
  readonly df: number
  readonly p: number
  readonly interval: Interval
}

export interface TTestOptions {
  readonly alternative?: Alternative
  readonly level?: number
  /** The difference under the null hypothesis. */
  readonly nullValue?: number
}

/** Everything else from an estimate, its standard error above 0 and the degrees of freedom. */
export function tInference(estimate: number, standardError: number, df: number, options: TTestOptions = {}): TTest {
  const { alternative = 'two-sided', nullValue = 0, level = 0.95 } = options
  const t = (estimate - nullValue) / standardError
  return {
    estimate,
    standardError,
    t,
    df,
    p: symmetricP(t, alternative, x => studentTSurvival(x, df)),
    interval: tInterval(estimate, standardError, df, level),
  }
}

export function tInterval(estimate: number, standardError: number, df: number, level: number): Interval {
  requireLevel(level)
  const reach = studentTUpperQuantile((1 - level) / 2, df) * standardError
  return { level, low: estimate - reach, high: estimate + reach }
}
