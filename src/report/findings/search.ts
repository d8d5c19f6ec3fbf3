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
  countedAsSearched,
  type Found,
  type HistoryPoint,
  type Objective,
  rankedVariants,
  type SearchTrial,
  trialsOf,
} from '../../analyze/search/trials.ts'
import type { SearchSpec } from '../../define/experiment.ts'
import type { Evidence } from '../../define/observation.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { type View, viewedRuns } from './view.ts'

/** What a search tried, in order, and what it found. */
export interface SearchFindings {
  readonly method: string
  readonly objective: Objective
  readonly trials: readonly SearchTrial[]
  /** The one in the verdict: among those with all their runs. */
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

/** As in the files. */
const scalesOf = ({ experiments }: Dataset): Scales =>
  new Map(
    experiments.flatMap(({ definition }) =>
      [...(definition?.factors ?? []), ...(definition?.zip.flat() ?? [])].flatMap(({ name, domain }) =>
        domain === undefined ? [] : [[name, 'scale' in domain ? domain.scale : 'linear'] as const],
      ),
    ),
  )

/** The best variant of a search, as `assay sweep best` names it. */
export interface BestFound extends Found {
  /** How many of the others have a mean inside its interval; null if it has none. */
  readonly rivals: number | null
  /** The search uses the best value that a run reported; here only the last is known. */
  readonly isLastInstead: boolean
}

/** null: nothing was searched, nothing has a value, or no goal is given. */
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

/** The runs of a view, each with the value that its search uses; null: nothing was searched. */
function searchedOf(dataset: Dataset, view: Pick<View, 'metric' | 'filter'>): Searched | null {
  const search = dataset.experiments.find(one => one.search !== null)?.search ?? null
  if (search === null) return null
  const { evidence, reading } = viewedRuns(dataset, view)
  const isObjective = search.metric === reading.metric
  const goal = isObjective ? search.goal : null
  const isBest = isObjective && search.value === 'best'
  // A thinned series may have lost its best value.
  const isBestReported = isBest && dataset.kept.series_points === null
  return {
    search,
    evidence: isBestReported ? countedAsSearched(evidence, search) : evidence,
    reading: goal === null ? reading : { ...reading, goal, isGoalKnown: true },
    isBestReported,
    isLastInstead: isBest && !isBestReported,
  }
}
