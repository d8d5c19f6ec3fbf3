import { type Reading, readingOf } from '../../analyze/reading.ts'
import { countedAsSearched, type Found, type RankedVariants, rankedVariants } from '../../analyze/search/trials.ts'
import type { Experiment } from '../../define/experiment.ts'
import type { Evidence } from '../../define/observation.ts'
import { evidenceOf } from '../../record/evidence/evidence.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { levelText } from '../../util/words.ts'

/** The objective of a search; without a search, the primary metric. */
export function objectiveOf(
  experiment: Experiment,
  evidence: Evidence,
  wish: Parameters<typeof readingOf>[1] = {},
): Reading {
  const { metric = null, goal = null } = experiment.search ?? {}
  return readingOf(evidence, {
    metric: wish.metric ?? metric ?? undefined,
    goal: wish.goal ?? (wish.metric === undefined ? (goal ?? undefined) : undefined),
  })
}

/** The runs of a search, each with the value that the search uses: the last or the best that it reported. */
export function searchEvidence(dir: string, { search }: Experiment): Evidence {
  const metric = search?.value === 'best' ? search.metric : null
  const evidence = evidenceOf(dir, { series: metric === null ? [] : [metric] })
  if (search === undefined || metric === null) return evidence
  return countedAsSearched(evidence, search)
}

export const foundIn = (ranked: RankedVariants, { search }: Experiment): Found => ({
  ...ranked,
  isBestReported: search?.value === 'best' && search.metric === ranked.metric,
})

/** The best so far; null if there is none: no result yet, no metric, or no known goal. */
export function bestSoFarIn(dir: string, experiment: Experiment): Found | null {
  try {
    const evidence = searchEvidence(dir, experiment)
    const reading = objectiveOf(experiment, evidence)
    const ranked = reading.isGoalKnown ? rankedVariants(evidence, reading, 1) : null
    return ranked === null || ranked.best.length === 0 ? null : foundIn(ranked, experiment)
  } catch (error) {
    if (error instanceof AssayError) return null
    throw error
  }
}

export function paramsText(params: JsonObject): string {
  const parts = Object.entries(params).map(([name, level]) => `${name}=${levelText(level)}`)
  return parts.join(' ')
}
