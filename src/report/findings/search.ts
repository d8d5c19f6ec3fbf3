import type { Reading } from '../../analyze/reading.ts'
import {
  type Importance,
  importances,
  type ParallelCoordinates,
  parallelCoordinates,
  type Scales,
} from '../../analyze/search/importances.ts'
import {
  bestSoFar,
  type HistoryPoint,
  type Objective,
  type RankedVariant,
  type RankedVariants,
  rankedVariants,
  type SearchTrial,
  trialsOf,
} from '../../analyze/search/trials.ts'
import type { SearchSpec } from '../../define/experiment.ts'
import type { Evidence } from '../../define/observation.ts'
import { resultValueOf } from '../../plan/planner.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import { amountText, counted, percentText, unitWord } from '../../util/words.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { type View, viewedRuns } from './view.ts'

/** What a search tried, in its order, and what it found. */
export interface SearchFindings {
  readonly method: string
  readonly objective: Objective
  readonly trials: readonly SearchTrial[]
  /** The one that the verdict names: of those that have all their runs. */
  readonly best: SearchTrial | null
  readonly history: readonly HistoryPoint[]
  readonly importances: readonly Importance[]
  readonly parallel: ParallelCoordinates
}

export function searchFindingsOf(dataset: Dataset, view: View): OrReason<SearchFindings> {
  return orReason(() => {
    const searched = searchedOf(dataset, view)
    if (searched === null) throw new AssayError('usage', 'nothing was searched: every variant was run as planned')
    const { search, evidence, reading } = searched
    const objective = { metric: reading.metric, goal: reading.goal }
    const trials = trialsOf(evidence.runs)
    const history = bestSoFar(trials, objective)
    const winner = bestFoundOf(dataset, view)?.best[0]?.number
    return {
      method: search.method,
      objective,
      trials,
      best: trials.find(({ number }) => number === winner) ?? null,
      history,
      importances: importances(trials, objective, scalesOf(dataset)),
      parallel: parallelCoordinates(trials, objective, scalesOf(dataset)),
    }
  })
}

/** As the files say. */
const scalesOf = ({ experiments }: Dataset): Scales =>
  new Map(
    experiments.flatMap(({ definition }) =>
      [...(definition?.factors ?? []), ...(definition?.zip.flat() ?? [])].flatMap(({ name, domain }) =>
        domain === undefined ? [] : [[name, 'scale' in domain ? domain.scale : 'linear'] as const],
      ),
    ),
  )

/** The variant that came out best of a search, as `assay sweep best` names it. */
export interface BestFound extends Found {
  /** How many of the others have a mean inside its interval; null where it has none. */
  readonly rivals: number | null
  /** The search counts the best value that a run reported; here only the last is known. */
  readonly isLastInstead: boolean
}

/** null: nothing was searched, nothing has a value, or nobody said which way is better. */
export function bestFoundOf(dataset: Dataset, view: View): BestFound | null {
  const searched = searchedOf(dataset, view)
  if (searched === null || !searched.reading.isGoalKnown) return null
  const { evidence, reading, isBestReported, isLastInstead } = searched
  const ranked = rankedVariants(evidence, reading, 1, 1 - view.alpha)
  const [best] = ranked.best
  if (best === undefined) return null
  const { low = null, high = null } = best.result.ci ?? {}
  const means = trialsOf(evidence.runs, 'completed')
    .filter(({ number, runs, failed }) => number !== best.number && runs - failed === ranked.runs)
    .flatMap(({ values }) => values[reading.metric] ?? [])
  const rivals = low === null || high === null ? null : means.filter(mean => mean >= low && mean <= high).length
  return { ...ranked, isBestReported, isLastInstead, rivals }
}

interface Searched {
  readonly search: SearchSpec
  readonly evidence: Evidence
  readonly reading: Reading
  readonly isBestReported: boolean
  readonly isLastInstead: boolean
}

/** The runs that a view shows, each with the value that its search counts it with; null: nothing was searched. */
function searchedOf(dataset: Dataset, view: Pick<View, 'metric' | 'filter'>): Searched | null {
  const search = dataset.experiments.find(one => one.search !== null)?.search ?? null
  if (search === null) return null
  const { evidence, reading } = viewedRuns(dataset, view)
  const isObjective = search.metric === reading.metric
  const goal = isObjective ? search.goal : null
  const isBest = isObjective && search.value === 'best'
  // Of a thinned series the best value may be gone.
  const isBestReported = isBest && dataset.kept.series_points === null
  return {
    search,
    evidence: isBestReported ? countedAsSearched(evidence, search) : evidence,
    reading: goal === null ? reading : { ...reading, goal, isGoalKnown: true },
    isBestReported,
    isLastInstead: isBest && !isBestReported,
  }
}

/** Of what a run reported, the last value or the best is its metric: whichever the search goes by. */
export function countedAsSearched(evidence: Evidence, search: SearchSpec): Evidence {
  const { metric } = search
  if (metric === null) return evidence
  const runs = evidence.runs.map(run => {
    const value = resultValueOf(run, search)
    return value === null ? run : { ...run, metrics: { ...run.metrics, [metric]: value }, series: [] }
  })
  return { ...evidence, runs }
}

/** The variants that a search tried, and what a run counts with: `sweep best` and the report say the same of them. */
export interface Found extends RankedVariants {
  /** Whether a run counts with the best value that it reported, not with the last. */
  readonly isBestReported: boolean
}

/** `loss 0.0123 (95% CI 0.011 to 0.0137), mean of 5 seeds`. */
export function resultText({ result, units }: RankedVariant, { metric, unit, isBestReported }: Found): string {
  const amount = amountText(metric)
  const which = isBestReported ? ' (of each run the best it reported)' : ''
  const value = `${metric} ${result.mean === null ? '–' : amount(result.mean)}${which}`
  if (result.count === 1) return `${value}, from a single run`
  const of = `${counted(units, unitWord(unit))}${result.count > units ? `, ${result.count} runs` : ''}`
  const { ci, reason } = result
  const interval =
    ci === null || ci.low === null || ci.high === null
      ? `no interval: ${reason ?? 'not known'}`
      : `${percentText(ci.level)} CI ${amount(ci.low)} to ${amount(ci.high)}`
  return `${value} (${interval}), mean of ${of}`
}

/** `Best loss: 0.0123 (95% CI 0.011 to 0.0137, 5 seeds)`: the same in a line to be seen from afar. */
export function bestText({ result, units }: RankedVariant, { metric, unit, isBestReported }: Found): string {
  const amount = amountText(metric)
  const { mean, ci, count } = result
  const value = `Best ${metric}: ${mean === null ? '–' : amount(mean)}`
  const facts = [
    ...(isBestReported ? ['the best that each run reported'] : []),
    ...(ci === null || ci.low === null || ci.high === null
      ? []
      : [`${percentText(ci.level)} CI ${amount(ci.low)} to ${amount(ci.high)}`]),
    count === 1 ? '1 run' : counted(units, unitWord(unit)),
  ]
  return `${value} (${facts.join(', ')})`
}

/** What the best of several is worth: less than it looks. */
export function worthText({ compared, tied, runs }: Pick<RankedVariants, 'compared' | 'tied' | 'runs'>): string {
  if (compared < 2) return 'There is nothing to compare it with.'
  if (tied > 0)
    return `${counted(tied, 'other variant')} came out exactly as good: it is named because it was tried before ${tied === 1 ? 'that' : 'them'}.`
  const single = runs === 1 ? ' A single run does not say how far off it is, either.' : ''
  return `It was chosen because it came out best, so expect less of it next time.${single}`
}

/** Variants that could not be set beside the others; null: there are none. */
export function incompleteText({ incomplete, runs }: Pick<RankedVariants, 'incomplete' | 'runs'>): string | null {
  if (incomplete === 0) return null
  const lack = runs === 1 ? 'no completed run with a value' : `fewer than ${runs} completed runs with a value`
  return `Not compared: ${counted(incomplete, 'variant')} with ${lack}.`
}

/** A share of which the forest's trees disagree by more than its size may as well be none. */
export const isResolved = ({ share, deviation }: { readonly share: number; readonly deviation: number }): boolean =>
  deviation < share
