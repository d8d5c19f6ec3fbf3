import { sortedQuantile } from '../describe/quantile.ts'
import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { type Alternative, requireLevel } from '../tests/alternative.ts'
import { type BcaLevels, bcaLevels } from './bca-levels.ts'
import { intervalAt } from './interval-at.ts'
import type { Resampled } from './resample/resampled.ts'

/**
 * `percentile` and `basic`: Davison & Hinkley 1997, "Bootstrap methods and their application", §5.3 and §5.2.
 * `bca`: Efron 1987, "Better bootstrap confidence intervals". All three cover too rarely below about 30 values;
 * the studentised interval does not (`studentized.ts`).
 */
export type BootstrapMethod = 'percentile' | 'basic' | 'bca'

export interface BootstrapIntervalOptions {
  readonly method?: BootstrapMethod
  readonly level?: number
  readonly alternative?: Alternative
}

export interface BootstrapInterval extends Interval {
  readonly method: BootstrapMethod
  /** The corrections of the BCa interval. */
  readonly bca?: Pick<BcaLevels, 'bias' | 'acceleration'>
}

export function bootstrapInterval(
  resampled: Resampled,
  { method = 'percentile', level = 0.95, alternative = 'two-sided' }: BootstrapIntervalOptions = {},
): Estimate<BootstrapInterval> {
  requireLevel(level)
  const sorted = resampled.distribution.toSorted()
  if (sorted.length === 0) return unavailable('no_data')
  if (Number.isNaN(sorted.at(-1))) return unavailable('not_a_number')
  if (sorted[0] === sorted.at(-1)) return unavailable('zero_variance')
  const at = (share: number): number => sortedQuantile(sorted, share)
  switch (method) {
    case 'percentile':
      return { method, ...intervalAt(level, alternative, at) }
    case 'basic':
      return { method, ...intervalAt(level, alternative, share => 2 * resampled.estimate - at(1 - share)) }
    case 'bca':
      return whenAvailable(bcaLevels(sorted, resampled), ({ bias, acceleration, levelFor }) => ({
        method,
        ...intervalAt(level, alternative, share => at(levelFor(share))),
        bca: { bias, acceleration },
      }))
  }
}
