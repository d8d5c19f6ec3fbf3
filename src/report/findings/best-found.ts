import type { Reading } from '../../analyze/reading.ts'
import { rankedVariants } from '../../analyze/search/ranked-variants.ts'
import { trialsOf } from '../../analyze/search/trials.ts'
import type { SearchSpec } from '../../define/experiment.ts'
import type { Evidence } from '../../plan/evidence.ts'
import { objectiveOf } from '../../plan/search/learn/objective.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { lookedAt } from './looked-at.ts'
import type { View } from './view.ts'
import type { Found } from './wording/best-words.ts'

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
export function searchedOf(dataset: Dataset, view: Pick<View, 'metric' | 'filter'>): Searched | null {
  const search = dataset.experiments.find(one => one.search !== null)?.search ?? null
  if (search === null) return null
  const { evidence, reading } = lookedAt(dataset, view)
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
    const value = objectiveOf(run, search)
    return value === null ? run : { ...run, metrics: { ...run.metrics, [metric]: value }, series: [] }
  })
  return { ...evidence, runs }
}
