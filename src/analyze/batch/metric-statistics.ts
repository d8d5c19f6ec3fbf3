import { metricOf, type VariantMetric } from '../variants.ts'
import type { Batch } from './batch.ts'

/** metrics-analysis.json: by metric, over all runs that completed. The first six keys are the original's. */
export type MetricStatistics = { readonly [metric: string]: MetricStatistic }

export interface MetricStatistic extends VariantMetric {
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
