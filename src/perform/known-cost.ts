import type { AttemptResult } from '../define/run.ts'
import type { Reported } from './reporting/reported.ts'

type KnownCost = Pick<AttemptResult, 'cost_usd' | 'cost_at_least_usd'>

/**
 * An attempt's known cost: as reported, or a number in a file that the experiment declares as the metric `cost_usd`. If
 * part of it is unreadable or negative, the whole is unknown: never 0.
 */
export function knownCost(reported: Reported, metrics: AttemptResult['metrics']): KnownCost {
  const isReported = reported.metrics.includes('cost_usd')
  const reading = isReported ? reported.reading('cost_usd') : metrics.find(one => one.metric === 'cost_usd')
  if (reading !== undefined && 'value' in reading && reading.value >= 0)
    return { cost_usd: reading.value, cost_at_least_usd: reading.value }
  return { cost_usd: null, cost_at_least_usd: reported.costUsd ?? 0 }
}
