import type { Evidence } from '../../define/observation.ts'
import { defaultDrawing, type Told } from '../choices.ts'
import type { Provenance } from '../provenance/provenance.ts'
import { readingOf } from '../reading.ts'
import { samplesOf } from '../samples.ts'
import { type Comparison, type Draft, verdictOf } from './comparison.ts'
import { draftOf } from './draft.ts'
import { correctedDrafts } from './infer/correct.ts'
import { jointly } from './infer/max-t.ts'
import { refuseBeside } from './infer/within-bounds.ts'
import { type Compared, comparisonProvenance } from './provenance.ts'
import { type CompareAsked, familyOf, otherMetrics, type Question, questionOf } from './question.ts'
import { headlineOf, sentenceOf } from './sentence.ts'

// The types of question and answer are exported with the functions.
export {
  type Bounded,
  type Bounds,
  type Comparison,
  intervalOfVerdict,
  type LevelSplit,
  type Verdict,
} from './comparison.ts'
export type { Compared } from './provenance.ts'
export { type CompareAsked, defaultQuestion, type Question, questionOf } from './question.ts'

/** One comparison, or several together. */
export type ComparisonAnswer = Told<
  Comparison | { readonly kind: 'comparisons'; readonly comparisons: readonly Comparison[] }
>

export interface ComparedEvidence {
  readonly question: Question
  readonly compared: readonly Compared[]
  readonly provenance: Provenance
}

export function compareEvidence(evidence: Evidence, asked: CompareAsked): ComparedEvidence {
  const question = questionOf(evidence, asked)
  const compared = compareArms(evidence, question)
  return { question, compared, provenance: comparisonProvenance(evidence, question, compared, asked.filter) }
}

/** As one document: a single comparison is not put into a list. */
export function oneOrSeveral<T extends Comparison>(comparisons: readonly T[], provenance: Provenance) {
  const [only] = comparisons
  return only !== undefined && comparisons.length === 1
    ? { ...only, provenance }
    : { kind: 'comparisons' as const, comparisons, provenance }
}

/** Compares the control with each candidate, and draws a conclusion for each. */
export function compareArms(evidence: Evidence, asked: Question): readonly Compared[] {
  const question = withEnoughResamples(asked)
  const { control, candidates, reading, correction } = question
  const samples = candidates.map(candidate => samplesOf(evidence, { control, candidate }, reading, question))
  refuseBeside(samples, question)
  const joint = correction === 'max-t' && candidates.length > 1 ? jointly(samples, question) : null
  const drafts = samples.map((own, at) => draftOf(evidence, question, candidates[at] ?? control, own, joint?.[at]))
  const others = otherMetrics(question).flatMap(metric => draftsOfMetric(evidence, question, metric))
  const found = correctedDrafts(drafts, joint, question, others).map(draft => concluded(draft, question))
  return found.flatMap((comparison, at) => {
    const own = samples[at]
    return own === undefined ? [] : [{ comparison, samples: own }]
  })
}

/**
 * The same comparison on another metric of the family: only its p is needed, and a margin applies to the requested
 * metric.
 */
function draftsOfMetric(evidence: Evidence, question: Question, metric: string): readonly Draft[] {
  const { control, candidates, statistic: _statistic, ...rest } = question
  const own = { ...rest, control, candidates, reading: readingOf(evidence, { metric }), margin: null, rliable: false }
  return candidates.map(candidate =>
    draftOf(evidence, own, candidate, samplesOf(evidence, { control, candidate }, own.reading, own), undefined),
  )
}

/**
 * The smallest p that resampling can give must allow a verdict after the correction: so more are drawn, unless the user
 * asked for fewer.
 */
function withEnoughResamples(question: Question): Question {
  const { drawing, alpha, correction } = question
  if (drawing.rng !== 'assay' || drawing.resamples < defaultDrawing.resamples) return question
  const enough = Math.ceil((8 * (correction === 'none' ? 1 : familyOf(question))) / alpha)
  return {
    ...question,
    drawing: { ...drawing, resamples: Math.max(drawing.resamples, Math.min(mostResamples, enough)) },
  }
}

const mostResamples = 100_000

/** Verdict and sentence follow from the rest: computed again when p was corrected within a larger family. */
export function concluded(draft: Draft, { alpha, reading }: Pick<Question, 'alpha' | 'reading'>): Comparison {
  const p = draft.p_adjusted ?? draft.p
  const verdict = verdictOf({ estimate: draft.estimate, p, goal: draft.goal }, draft.equivalence, alpha)
  const told = { ...draft, verdict }
  return {
    ...told,
    sentence: sentenceOf(told, reading.isGoalKnown),
    headline: headlineOf(told, reading.isGoalKnown),
  }
}

/** Whether the answer meets the requirement. */
export function meets(comparison: Comparison, wanted: 'better' | 'not-worse' | 'equivalent'): boolean {
  switch (wanted) {
    case 'better':
      return comparison.verdict === 'better'
    case 'equivalent':
      return comparison.equivalence?.equivalent ?? false
    case 'not-worse':
      return comparison.verdict === 'better' || (comparison.equivalence?.not_worse ?? false)
  }
}
