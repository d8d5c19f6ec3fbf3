import {
  type Importance,
  importances,
  type ParallelCoordinates,
  parallelCoordinates,
} from '../analyze/search/importances.ts'
import {
  bestSoFar,
  type HistoryPoint,
  type Objective,
  paretoFront,
  type SearchTrial,
  trialsOf,
} from '../analyze/search/trials.ts'
import type { RunRecord } from '../define/observation.ts'
import { refuseUnknown } from './refuse-unknown.ts'

/** What a search found, as data for tables and pictures. */
export interface SearchResults {
  readonly trials: readonly SearchTrial[]
  readonly best: SearchTrial | null
  readonly history: readonly HistoryPoint[]
  readonly importances: readonly Importance[]
  readonly parallel: ParallelCoordinates
  /** The trials that no other beats in all objectives. */
  readonly front: readonly SearchTrial[]
}

/** Of the runs that {@link run} gave back. The first objective decides what is best; several give a Pareto front. */
export function searchResults(
  runs: readonly RunRecord[],
  ...objectives: readonly [Objective, ...Objective[]]
): SearchResults {
  for (const objective of objectives) refuseUnknown('searchResults', objective, { metric: true, goal: true })
  const ended = runs.flatMap(({ params, outcome, metrics }) => (outcome === null ? [] : [{ params, outcome, metrics }]))
  const trials = trialsOf(ended)
  const [objective] = objectives
  const history = bestSoFar(trials, objective)
  return {
    trials,
    best: trials[history.findLastIndex(({ isBest }) => isBest)] ?? null,
    history,
    importances: importances(trials, objective),
    parallel: parallelCoordinates(trials, objective),
    // What was stopped early is cheap for that reason alone.
    front: paretoFront(trialsOf(ended, 'completed'), objectives),
  }
}
