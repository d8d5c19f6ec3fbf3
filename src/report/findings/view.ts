import { levelKey, levelsOf, placesOf, sameLevel, suggestedFactors } from '../../analyze/arms.ts'
import {
  defaultSummary,
  describeSummary,
  metricNames,
  type Reading,
  readingOf,
  readValue,
} from '../../analyze/reading.ts'
import { type Evidence, levelOf, type Observation, priceOf, type RunRecord } from '../../define/observation.ts'
import { filterEvidence } from '../../plan/select/filter-evidence.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Dataset, RunFolder } from '../dataset/dataset.ts'
import { reducedKey } from '../dataset/pack.ts'

/** The reader's settings: everything on the page follows from them and the dataset. */
export interface View {
  readonly metric: string
  /** The factors that define the arms; empty: nothing is compared. */
  readonly group: readonly string[]
  /** The arm that the others are compared with, as levels of these factors. */
  readonly baseline: JsonObject
  readonly alpha: number
  /** As for `--filter`; empty: all runs. */
  readonly filter: string
  /** The metric used as cost. */
  readonly cost: string
}

export function defaultView(dataset: Dataset): View {
  const { evidence, experiments } = dataset
  const group = suggestedFactors(
    evidence,
    isUnderWay(dataset),
    experiments.some(({ search }) => search !== null),
  )
  return {
    metric: defaultMetric(evidence),
    group,
    baseline: defaultBaseline(evidence, group),
    alpha: 0.05,
    filter: '',
    cost: defaultCost(evidence),
  }
}

/** Whether some of the runs have not ended. */
export const isUnderWay = ({ experiments }: Dataset): boolean =>
  experiments.some(({ standing }) => (standing?.states.pending ?? 0) + (standing?.states.running ?? 0) > 0)

/** Every metric, declared ones first. */
export function metricsOf({ metrics, runs }: Evidence): readonly string[] {
  const always = ['cost_usd', 'wall_s'].filter(name => runs.some(run => costsOf(run, name) !== null))
  return [...new Set([...metrics.map(({ name }) => name), ...metricNames(runs), ...always])]
}

/** The metrics that are plain numbers of runs. */
export function numberNames(runs: readonly Pick<RunRecord, 'metrics'>[]): readonly string[] {
  const names = new Set<string>()
  // A list of all names of a hundred thousand runs would be the slowest part of the page.
  for (const { metrics } of runs) for (const name in metrics) names.add(name)
  return [...names]
}

/** The series, the view's metric first. */
export function seriesNames({ evidence }: Dataset, view: Pick<View, 'metric'>): readonly string[] {
  const names = new Set(evidence.runs.flatMap(run => run.series.map(({ metric }) => metric)))
  return names.has(view.metric) ? [view.metric, ...[...names].filter(name => name !== view.metric)] : [...names]
}

/** The factors that vary in these runs. */
export const varyingFactors = (evidence: Evidence): readonly string[] =>
  evidence.factors.filter(factor => levelsOf(evidence, factor).length > 1)

/** The arms of such a grouping, in the order in which levels were written. */
export function armsBy(evidence: Evidence, group: readonly string[]): readonly JsonObject[] {
  const places = group.map(factor => placesOf(levelsOf(evidence, factor)))
  const found = new Map<string, { readonly levels: JsonObject; readonly place: readonly number[] }>()
  for (const run of evidence.runs) {
    const levels = group.map(factor => levelOf(run, factor))
    const place = levels.map((level, at) => places[at]?.get(levelKey(level)) ?? -1)
    const key = place.join()
    if (!found.has(key))
      found.set(key, {
        levels: Object.fromEntries(group.map((name, at) => [name, levels[at] ?? null])),
        place,
      })
  }
  return [...found.values()].sort((a, b) => firstDifference(a.place, b.place)).map(({ levels }) => levels)
}

/** The baseline that the experiment suggests for a grouping; otherwise the first arm. */
export function defaultBaseline(evidence: Evidence, group: readonly string[]): JsonObject {
  const arms = armsBy(evidence, group)
  const { baseline } = evidence
  const suggested = arms.find(arm =>
    group.every(name => baseline?.[name] === undefined || sameLevel(arm[name] ?? null, baseline[name])),
  )
  return suggested ?? arms[0] ?? {}
}

function defaultMetric({ metrics, runs }: Evidence): string {
  return (metrics.find(({ primary }) => primary) ?? metrics[0])?.name ?? metricNames(runs)[0] ?? 'wall_s'
}

/** Money if it is known, else a metric to be minimised, else time. */
function defaultCost(evidence: Evidence): string {
  if (evidence.runs.some(run => (priceOf(run) ?? 0) > 0)) return 'cost_usd'
  const isCost = (name: string) => /(^|_)(cost|usd|price)(_|$)/.test(name)
  return metricNames(evidence.runs).find(isCost) ?? 'wall_s'
}

const costsOf = (run: Evidence['runs'][number], name: string): number | null =>
  name === 'cost_usd' ? priceOf(run) : run.wall_s

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((place, at) => place - (b[at] ?? 0)).find(difference => difference !== 0) ?? 0

/** The runs of a view, and the number used for each. */
interface ViewedRuns {
  readonly evidence: Evidence
  readonly reading: Reading
  /** How a series was reduced to that number, if that was done before the series was thinned. */
  readonly summary: string | null
}

export function viewedRuns(dataset: Dataset, { metric, filter }: Pick<View, 'metric' | 'filter'>): ViewedRuns {
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
      evidence.runs.length === 0 ? 'no run has ended yet: there is nothing to show' : 'no run passes the filter',
    )
  return kept
}

/** The same, or one line on why no run is left. */
export const keptBy = (evidence: Evidence, filter: string): OrReason<Evidence> =>
  orReason(() => filtered(evidence, filter))

/** The numbers derived from the whole series, as a plain metric: the points of a thinned series would give others. */
export function withWholeSeries(
  { evidence: all, folders }: Dataset,
  evidence: Evidence,
  metric: string,
  kind: 'auc' | 'slope',
): Evidence {
  const folderOf = new Map<string, RunFolder | undefined>(all.runs.map((run, at) => [idOf(run), folders[at]]))
  const withNumber = (run: Observation): Observation => {
    const value = folderOf.get(idOf(run))?.reduced[reducedKey(metric, kind)] ?? 'no such series'
    return typeof value === 'number'
      ? { ...run, metrics: { ...run.metrics, [metric]: value } }
      : { ...run, problems: { ...run.problems, [metric]: value } }
  }
  return { ...evidence, runs: evidence.runs.map(withNumber) }
}

/** What distinguishes a run from all others of the dataset. */
export const idOf = ({ source, name }: Pick<Observation, 'source' | 'name'>): string => `${source}/${name}`
