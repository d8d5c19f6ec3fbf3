import { type Evidence, type Observation, plannedRuns } from '../../define/observation.ts'
import { type Provenance, problemOf, provenanceOf } from '../provenance/provenance.ts'
import type { Reading } from '../reading.ts'
import { type Batch, type BatchOptions, batchOf } from './batch.ts'
import { findPatterns } from './patterns/find-patterns.ts'
import type { Patterns } from './patterns/patterns.ts'
import { type MetricStatistics, metricStatistics, type VariationStatistics, variationStatistics } from './statistics.ts'

// The parts of an analysis, for code that combines them itself.
export { type Batch, type BatchOptions, batchOf, spentOn } from './batch.ts'
export { ciText, type Finding, lastWords, type Patterns, sentenceText } from './patterns/patterns.ts'
export { type RankedVariation, rankVariants } from './ranking/ranking.ts'
export type { MetricStatistics, VariationStatistic, VariationStatistics } from './statistics.ts'

/**
 * The runs that succeeded and failed, the reasons, and the costs. Plain data: the three files, and the output of
 * `--json`.
 */
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
    experiment: sources.map(({ name, title }) => (sources.length === 1 ? (title ?? name) : name)).join(', '),
    planned_runs: plannedRuns(sources),
    metrics,
    variations,
    patterns: findPatterns(batch, variations),
    provenance: batchProvenance(batch, metrics, variations),
  }
}

/**
 * Every run is examined; runs that count as neither success nor failure, or have no value of the main metric, are
 * listed.
 */
function batchProvenance(batch: Batch, metrics: MetricStatistics, variations: VariationStatistics): Provenance {
  const { evidence, variants, main, rule, alpha, correction, drawing, filter } = batch
  const used = [metrics, ...Object.values(variations).map(one => one.metrics)].flatMap(all => Object.values(all))
  return provenanceOf(evidence, {
    filter,
    arms: variants,
    excluded: variants.flatMap(({ label, runs }) =>
      runs.flatMap(run => {
        const reasons = [...notJudged(batch, run), ...withoutValue(main, run)]
        return reasons.length === 0 ? [] : [{ arm: label, what: run.name, reason: reasons.join('; ') }]
      }),
    ),
    settings: {
      success: rule.text,
      metric: main?.metric ?? 'success',
      goal: main?.goal ?? 'maximize',
      method: 'auto',
      intervals: [...new Set(used.flatMap(({ ci }) => ci?.method ?? []))],
      alpha,
      correction,
      seed: drawing.seed,
      resamples: drawing.resamples,
      rng: drawing.rng,
    },
  })
}

function notJudged({ judgements }: Batch, run: Observation): readonly string[] {
  const judgement = judgements.get(run)
  if (judgement === 'censored') return [`not judged: ${run.outcome.kind}`]
  return judgement === 'unknown' ? ['not judged: what the rule asks for was not measured'] : []
}

function withoutValue(main: Reading | null, run: Observation): readonly string[] {
  const problem = main === null ? null : problemOf(run, main)
  return problem === null ? [] : [`no ${main?.metric}: ${problem}`]
}
