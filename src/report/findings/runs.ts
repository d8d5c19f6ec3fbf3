import { defaultSummary, describeSummary, type Reading, readingOf, readValue } from '../../analyze/reading.ts'
import { variantsOf } from '../../analyze/variants.ts'
import type { Evidence, Observation } from '../../define/observation.ts'
import { namedFailure } from '../../define/outcome.ts'
import { filterEvidence } from '../../plan/select/filter-evidence.ts'
import { AssayError } from '../../util/errors.ts'
import type { Dataset, RunFolder } from '../dataset/dataset.ts'
import { reducedKey } from '../dataset/pack.ts'
import type { View } from './view.ts'
import { type OrReason, orReason } from './wording/texts.ts'

/** One way in which runs ended without a result. */
export interface FailureClass {
  /** `failed: KeyError`, `failed: exit_7`, `timed out`. */
  readonly name: string
  readonly kind: string
  readonly runs: readonly string[]
  /** What the first that said something said. */
  readonly message: string | null
  /** Of the variants that it hit, the hardest hit first. */
  readonly variants: readonly { readonly label: string; readonly count: number; readonly of: number }[]
}

export interface Failures {
  readonly of: number
  readonly classes: readonly FailureClass[]
  /** Metrics that completed runs should have and have not, with why. */
  readonly missing: readonly { readonly metric: string; readonly problem: string; readonly runs: readonly string[] }[]
}

const mostVariants = 6

export function failuresOf(dataset: Dataset, view: Pick<View, 'filter'>): OrReason<Failures> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const failed = evidence.runs.filter(({ outcome }) => outcome.kind !== 'completed')
    // Telling a hundred thousand runs apart takes a while: not where nothing failed.
    const variants = failed.length === 0 ? [] : variantsOf(evidence)
    const variantOf = new Map(variants.flatMap(variant => variant.runs.map(run => [run, variant] as const)))
    const classes = [...Map.groupBy(failed, ({ outcome }) => namedFailure(outcome))].map(
      ([name, runs]): FailureClass => {
        const hit = [...Map.groupBy(runs, run => variantOf.get(run))].flatMap(([variant, own]) =>
          variant === undefined ? [] : [{ variant, count: own.length, of: variant.runs.length }],
        )
        return {
          name,
          kind: runs[0]?.outcome.kind ?? 'failed',
          runs: runs.map(idOf),
          message: runs.map(({ outcome }) => outcome.said ?? outcome.message).find(text => text !== undefined) ?? null,
          variants: hit
            .sort((a, b) => b.count / b.of - a.count / a.of || b.count - a.count || a.variant.id - b.variant.id)
            .slice(0, mostVariants)
            .map(({ variant: { label }, count, of }) => ({ label, count, of })),
        }
      },
    )
    return {
      of: evidence.runs.length,
      classes: classes.sort((a, b) => b.runs.length - a.runs.length || (a.name < b.name ? -1 : 1)),
      missing: missingIn(evidence.runs),
    }
  })
}

function missingIn(runs: readonly Observation[]): Failures['missing'] {
  const all = runs
    .filter(({ outcome, columns }) => outcome.kind === 'completed' && columns === undefined)
    .flatMap(run => Object.entries(run.problems).map(([metric, problem]) => ({ metric, problem, id: idOf(run) })))
  return [...Map.groupBy(all, ({ metric, problem }) => `${metric}\n${problem}`).values()]
    .map(group => ({
      metric: group[0]?.metric ?? '',
      problem: group[0]?.problem ?? '',
      runs: group.map(({ id }) => id),
    }))
    .sort((a, b) => b.runs.length - a.runs.length)
}

/** The runs that a view shows, and which number of each. */
interface ViewedRuns {
  readonly evidence: Evidence
  readonly reading: Reading
  /** How a series became that number, where it did so before the series was thinned. */
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
      evidence.runs.length === 0 ? 'no run has ended yet: there is nothing to look at' : 'no run passes the filter',
    )
  return kept
}

/** The numbers that the whole series came to, as a plain metric: what is left of a thinned series would give others. */
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

/** What tells a run apart from all others of the dataset. */
export const idOf = ({ source, name }: Pick<Observation, 'source' | 'name'>): string => `${source}/${name}`

/** What the runs took, all together. */
interface Totals {
  /** null: no run said what it cost. */
  readonly cost_usd: number | null
  readonly budget_usd: number | null
  /** Seconds of all runs, one after the other. */
  readonly wall_s: number | null
}

export function totalsOf({ experiments, evidence }: Dataset): Totals {
  const isCostKnown = evidence.runs.some(run => run.cost_usd !== null)
  const spent = experiments.map(({ standing }) => standing?.cost_usd ?? null)
  const ofRuns = evidence.runs.reduce((sum, run) => sum + (run.cost_usd ?? 0), 0)
  const walls = evidence.runs.flatMap(run => run.wall_s ?? [])
  const budgets = experiments.flatMap(({ standing }) => standing?.budget_usd ?? [])
  return {
    // The ledger knows of attempts that came to nothing, too.
    cost_usd: !isCostKnown
      ? null
      : spent.every(usd => usd !== null)
        ? spent.reduce((sum, usd) => sum + usd, 0)
        : ofRuns,
    budget_usd: budgets.length === 0 ? null : budgets.reduce((sum, usd) => sum + usd, 0),
    wall_s: walls.length === 0 ? null : walls.reduce((sum, wall) => sum + wall, 0),
  }
}
