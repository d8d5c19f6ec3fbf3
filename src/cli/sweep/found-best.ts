import { amountText, percentText } from '../../analyze/numbers.ts'
import { type Reading, readingOf } from '../../analyze/reading.ts'
import { type RankedVariant, type RankedVariants, rankedVariants } from '../../analyze/search/ranked-variants.ts'
import { levelText } from '../../analyze/variants.ts'
import { counted, unitWord } from '../../analyze/words.ts'
import type { Experiment } from '../../define/experiment.ts'
import type { Evidence } from '../../plan/evidence.ts'
import { objectiveOf as valueSearchedBy } from '../../plan/search/learn/objective.ts'
import { evidenceOf } from '../../record/evidence/from-journal.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'

/** What a search goes by; without a search, the metric that decides. */
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

/** The runs of a search, each with the value that the search counts it with: of what it reported, the last or the best. */
export function searchEvidence(dir: string, { search }: Experiment): Evidence {
  const metric = search?.value === 'best' ? search.metric : null
  const evidence = evidenceOf(dir, { series: metric === null ? [] : [metric] })
  if (search === undefined || metric === null) return evidence
  const runs = evidence.runs.map(run => {
    const value = valueSearchedBy(run, search)
    return value === null ? run : { ...run, metrics: { ...run.metrics, [metric]: value }, series: [] }
  })
  return { ...evidence, runs }
}

export interface Found extends RankedVariants {
  /** Whether a run counts with the best value that it reported, not with the last. */
  readonly isBestReported: boolean
}

export const foundIn = (ranked: RankedVariants, { search }: Experiment): Found => ({
  ...ranked,
  isBestReported: search?.value === 'best' && search.metric === ranked.metric,
})

/** The best so far; null where nobody can say: no result yet, no metric, or no telling which way is better. */
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

/** `loss 0.0123 (95 % CI 0.011 to 0.0137), mean of 5 seeds`. */
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

export function paramsText(params: JsonObject): string {
  const parts = Object.entries(params).map(([name, level]) => `${name}=${levelText(level)}`)
  return parts.join(' ')
}
