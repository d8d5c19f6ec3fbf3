import { describeSummary } from '../../analyze/describe-summary.ts'
import { defaultSummary, type Reading, readingOf, readValue } from '../../analyze/reading.ts'
import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import { filterEvidence } from '../../plan/select/filter-evidence.ts'
import { AssayError } from '../../util/errors.ts'
import type { Dataset, RunFacts } from '../dataset/dataset.ts'
import { reducedKey } from '../dataset/thin-series.ts'
import type { View } from './view.ts'

/** The runs that a view shows, and which number of each. */
export interface LookedAt {
  readonly evidence: Evidence
  readonly reading: Reading
  /** How a series became that number, where it did so before the series was thinned. */
  readonly summary: string | null
}

export function lookedAt(dataset: Dataset, { metric, filter }: Pick<View, 'metric' | 'filter'>): LookedAt {
  const evidence = filtered(dataset.evidence, filter)
  const reading = readingOf(evidence, { metric })
  if (!evidence.runs.some(run => 'value' in readValue(run, reading)))
    throw new AssayError('usage', `no run has a value of ${metric}`)
  if (reading.summary === null || dataset.kept.series_points === null) return { evidence, reading, summary: null }
  return {
    evidence: withWholeSeries(dataset, evidence, metric, 'auc'),
    reading: { ...reading, summary: null },
    summary: describeSummary(defaultSummary),
  }
}

export function filtered(evidence: Evidence, filter: string): Evidence {
  const kept = filter.trim() === '' ? evidence : filterEvidence(evidence, [filter.trim()])
  if (kept.runs.length === 0)
    throw new AssayError(
      'usage',
      evidence.runs.length === 0 ? 'no run has ended yet: there is nothing to look at' : 'no run passes the filter',
    )
  return kept
}

/** The numbers that the whole series came to, as a plain metric: what is left of a thinned series would give others. */
export function withWholeSeries(
  { evidence: all, runs: facts }: Dataset,
  evidence: Evidence,
  metric: string,
  kind: 'auc' | 'slope',
): Evidence {
  const factsOf = new Map<string, RunFacts | undefined>(all.runs.map((run, at) => [idOf(run), facts[at]]))
  const withNumber = (run: EvidenceRun): EvidenceRun => {
    const value = factsOf.get(idOf(run))?.reduced[reducedKey(metric, kind)] ?? 'no such series'
    return typeof value === 'number'
      ? { ...run, metrics: { ...run.metrics, [metric]: value } }
      : { ...run, problems: { ...run.problems, [metric]: value } }
  }
  return { ...evidence, runs: evidence.runs.map(withNumber) }
}

/** What tells a run apart from all others of the dataset. */
export const idOf = ({ source, name }: Pick<EvidenceRun, 'source' | 'name'>): string => `${source}/${name}`
