import type { Evidence } from '../../plan/evidence.ts'
import { plannedRuns } from '../plan-coverage.ts'
import type { Provenance } from '../provenance/provenance.ts'
import { type Batch, type BatchOptions, batchOf } from './batch.ts'
import { batchProvenance } from './batch-provenance.ts'
import { type MetricStatistics, metricStatistics } from './metric-statistics.ts'
import { findPatterns } from './patterns/find-patterns.ts'
import type { Patterns } from './patterns/patterns.ts'
import { type VariationStatistics, variationStatistics } from './variation-statistics.ts'

/** What worked, what failed, why, and at what cost. Plain data: the three files, and what `--json` prints. */
export interface BatchAnalysis {
  readonly experiment: string
  readonly planned_runs: number | null
  readonly metrics: MetricStatistics
  readonly variations: VariationStatistics
  readonly patterns: Patterns
  readonly provenance: Provenance
}

export const analyzeBatch = (evidence: Evidence, options: BatchOptions = {}): BatchAnalysis =>
  analysisOf(batchOf(evidence, options))

export function analysisOf(batch: Batch): BatchAnalysis {
  const { sources } = batch.evidence
  const metrics = metricStatistics(batch)
  const variations = variationStatistics(batch)
  return {
    experiment: sources.map(({ name }) => name).join(', '),
    planned_runs: plannedRuns(sources),
    metrics,
    variations,
    patterns: findPatterns(batch, variations),
    provenance: batchProvenance(batch, metrics, variations),
  }
}
