import { bestSoFar, type HistoryPoint } from '../../analyze/search/best-so-far.ts'
import { type Importance, importances } from '../../analyze/search/importances.ts'
import { type ParallelCoordinates, parallelCoordinates } from '../../analyze/search/parallel-coordinates.ts'
import { type Objective, type SearchTrial, trialsOf } from '../../analyze/search/trials.ts'
import { AssayError } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { bestFoundOf, searchedOf } from './best-found.ts'
import type { View } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

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
      importances: importances(trials, objective),
      parallel: parallelCoordinates(trials, objective),
    }
  })
}
