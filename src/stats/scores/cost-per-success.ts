import { bootstrapInterval } from '../bootstrap/bootstrap-interval.ts'
import { resampleRatio } from '../bootstrap/resample/resample-ratio.ts'
import type { ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { unusable } from '../describe/usable.ts'
import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'

export interface CostPerSuccess {
  readonly estimate: number
  readonly interval: Estimate<Interval>
  readonly cost: number
  readonly successes: number
}

/**
 * The total cost, including failures, divided by the number of successes; runs are drawn with their cost and outcome
 * together. The mean cost of the successful runs alone would hide the cost of failures.
 */
export function costPerSuccess(
  costs: readonly number[],
  successes: readonly number[],
  options: ResampleOptions & { readonly level?: number },
): Estimate<CostPerSuccess> {
  requireThat(
    costs.length === successes.length,
    `an outcome for each of ${costs.length} costs, got ${successes.length}`,
  )
  const reason = unusable(costs) ?? unusable(successes)
  if (reason !== undefined) return reason
  const cost = costs.reduce((sum, value) => sum + value, 0)
  const count = successes.reduce((sum, value) => sum + value, 0)
  if (count === 0) return unavailable('unbounded')
  const { level = 0.95 } = options
  const interval = whenAvailable(resampleRatio(costs, successes, { ...options, paired: true }), resampled =>
    bootstrapInterval(resampled, { level }),
  )
  return { estimate: cost / count, interval, cost, successes: count }
}
