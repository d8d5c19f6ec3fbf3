import { type Estimate, unavailable } from '../estimate.ts'
import type { Goal } from './reduction.ts'
import type { Series } from './series.ts'

/**
 * The first step at which the metric reached the threshold. A run that never reached it has no such step: it is
 * censored at its last one, and a mean over the other runs would be too good (see `scores/survival.ts`).
 */
export function timeTo({ steps, values }: Series, threshold: number, goal: Goal = 'maximize'): Estimate<number> {
  const reached = values.findIndex(value => (goal === 'maximize' ? value >= threshold : value <= threshold))
  return steps[reached] ?? unavailable(values.length === 0 ? 'no_data' : 'censored')
}
