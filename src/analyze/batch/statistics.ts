import type { JsonObject } from '../../util/json.ts'
import { type MeanBounds, metricOf, type Variant, type VariantMetric } from '../variants.ts'
import { type Batch, successIn } from './batch.ts'
import { type CostPerSuccess, type CostStatistics, costPerSuccessOf, costStatistics } from './costs.ts'
import { variantMetric } from './variant-metric.ts'

/** metrics-analysis.json: by metric, over all runs that completed. The first six keys are those of Scenario Lab. */
export type MetricStatistics = { readonly [metric: string]: MetricStatistic }

interface MetricStatistic extends VariantMetric {
  readonly goal: 'maximize' | 'minimize' | null
  readonly is_primary: boolean
}

export function metricStatistics({ evidence, readings, units, estimatesOf, main }: Batch): MetricStatistics {
  return Object.fromEntries(
    readings.map(reading => [
      reading.metric,
      {
        ...metricOf(evidence.runs, reading, units, estimatesOf(reading.metric)),
        goal: reading.isGoalKnown ? reading.goal : null,
        is_primary: reading === main,
      },
    ]),
  )
}

/** variation-statistics.json: by the variant's number. The first seven keys are those of Scenario Lab. */
export type VariationStatistics = { readonly [id: string]: VariationStatistic }

export interface VariationStatistic {
  readonly variation_id: number
  readonly description: string
  readonly total_runs: number
  readonly successful_runs: number
  /** Of the judged runs; null if there were none. */
  readonly success_rate: number | null
  readonly metrics: { readonly [metric: string]: VariantMetric }
  readonly cost: CostStatistics
  readonly levels: JsonObject
  readonly failed_runs: number
  /** Cut by a limit or by the environment: neither success nor failure. */
  readonly censored_runs: number
  /** Completed, but the metric that the rule needs was not measured. */
  readonly unjudged_runs: number
  readonly success_rate_ci: MeanBounds | null
  readonly cost_per_success: CostPerSuccess
}

export function variationStatistics(batch: Batch): VariationStatistics {
  return Object.fromEntries(batch.variants.map(variant => [String(variant.id), statisticOf(batch, variant)]))
}

function statisticOf(batch: Batch, variant: Variant): VariationStatistic {
  const { readings } = batch
  const { id, label, levels, runs } = variant
  const { tally, rate, ci } = successIn(batch, runs)
  return {
    variation_id: id,
    description: label,
    total_runs: runs.length,
    successful_runs: tally.success,
    success_rate: rate,
    metrics: Object.fromEntries(readings.map(reading => [reading.metric, variantMetric(batch, variant, reading)])),
    cost: costStatistics(runs),
    levels,
    failed_runs: tally.failure,
    censored_runs: tally.censored,
    unjudged_runs: tally.unknown,
    success_rate_ci: ci,
    cost_per_success: costPerSuccessOf(batch, runs),
  }
}
