import { bootstrapInterval } from '../bootstrap/bootstrap-interval.ts'
import { resampleValues } from '../bootstrap/resample/resample-values.ts'
import type { ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { isConstant, meanOf, standardError } from '../describe/moments.ts'
import { type Estimate, isAvailable, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { meanInterval } from '../intervals/mean.ts'
import { passAtK, passHatK, type TaskAttempts } from './pass-at-k.ts'

export interface PassRate {
  readonly estimate: number
  /** Over tasks, because tasks are sampled: it includes the noise between attempts. */
  readonly standardError: Estimate<number>
  readonly interval: Estimate<Interval>
  readonly tasks: number
  /** Positions of the tasks with fewer than k attempts, which are not in the estimate. */
  readonly excluded: readonly number[]
}

export interface PassRateOptions {
  /** `any`: pass@k, at least one of k succeeds. `all`: pass^k, all k do. */
  readonly succeed?: 'any' | 'all'
  readonly level?: number
  /** With it the interval is a bootstrap of tasks; without, Student's over tasks. */
  readonly resampling?: ResampleOptions
}

/** pass@k or pass^k over a set of tasks: the mean over tasks, with the uncertainty of having only these tasks. */
export function passRate(tasks: readonly TaskAttempts[], k: number, options: PassRateOptions = {}): Estimate<PassRate> {
  const { succeed = 'any', level = 0.95, resampling } = options
  if (tasks.length === 0) return unavailable('no_data')
  const perTask = tasks.map(task => (succeed === 'any' ? passAtK(task, k) : passHatK(task, k)))
  const rates = perTask.filter(isAvailable)
  if (rates.length === 0) return unavailable('too_few_values')
  const withoutSpread = isConstant(rates) && rates.length > 1
  return {
    estimate: meanOf(rates),
    standardError: withoutSpread ? unavailable('zero_variance') : standardError(rates),
    interval:
      resampling === undefined
        ? whenAvailable(meanInterval(rates, level), ({ low, high }) => ({ level, low, high }))
        : whenAvailable(resampleValues(rates, resampling), resampled => bootstrapInterval(resampled, { level })),
    tasks: rates.length,
    excluded: perTask.flatMap((rate, at) => (isAvailable(rate) ? [] : [at])),
  }
}
