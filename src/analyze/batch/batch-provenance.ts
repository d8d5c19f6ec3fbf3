import type { EvidenceRun } from '../../plan/evidence.ts'
import { type Provenance, provenanceOf } from '../provenance/provenance.ts'
import { problemOf } from '../provenance/with-value.ts'
import type { Reading } from '../reading.ts'
import type { Batch } from './batch.ts'
import type { MetricStatistics } from './metric-statistics.ts'
import type { VariationStatistics } from './variation-statistics.ts'

/** Every run is looked at; those that count for neither success nor failure, or have no value of the main metric, are named. */
export function batchProvenance(batch: Batch, metrics: MetricStatistics, variations: VariationStatistics): Provenance {
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

function notJudged({ judgements }: Batch, run: EvidenceRun): readonly string[] {
  const judgement = judgements.get(run)
  if (judgement === 'censored') return [`not judged: ${run.outcome.kind}`]
  return judgement === 'unknown' ? ['not judged: what the rule asks for was not measured'] : []
}

function withoutValue(main: Reading | null, run: EvidenceRun): readonly string[] {
  const problem = main === null ? null : problemOf(run, main)
  return problem === null ? [] : [`no ${main?.metric}: ${problem}`]
}
