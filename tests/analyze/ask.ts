import { armsFor } from '../../src/analyze/arms.ts'
import { type Compared, type Comparison, compareArms, type Question } from '../../src/analyze/compare/compare.ts'
import { inferenceOf } from '../../src/analyze/compare/infer/within-bounds.ts'
import { methodFor } from '../../src/analyze/compare/method.ts'
import { readingOf } from '../../src/analyze/reading.ts'
import { samplesOf } from '../../src/analyze/samples.ts'
import type { Evidence } from '../../src/define/observation.ts'
import { isAvailable } from '../../src/stats/estimate.ts'

/** Uses the defaults of the command line. */
function questionOf(evidence: Evidence, question: Partial<Question>): Question {
  return {
    ...(question.control === undefined ? armsFor(evidence, {}) : { control: question.control, candidates: [] }),
    reading: question.reading ?? readingOf(evidence, {}),
    isPaired: true,
    missing: 'failed',
    method: 'auto',
    alpha: 0.05,
    alternative: 'two-sided',
    margin: null,
    correction: 'holm',
    drawing: { seed: 1, resamples: 2000, rng: 'assay' },
    ...question,
  }
}

/** Every candidate against the control. */
export const askAll = (evidence: Evidence, question: Partial<Question> = {}): readonly Compared[] =>
  compareArms(evidence, questionOf(evidence, question))

/** Only the p of the verdict on the first candidate, for simulations. */
export function pOf(evidence: Evidence, asked: Partial<Question> = {}): number {
  const question = questionOf(evidence, asked)
  const { control, candidates, reading, alpha, alternative, drawing } = question
  const samples = samplesOf(evidence, { control, candidate: candidates[0] ?? control }, reading, question)
  const { p } = inferenceOf(samples, methodFor(samples), { level: 1 - alpha, alternative, drawing })
  return isAvailable(p) ? p : 1
}

/** The only candidate against the control. */
export function ask(evidence: Evidence, question: Partial<Question> = {}): Comparison {
  const [first, ...others] = askAll(evidence, question)
  if (first === undefined || others.length > 0) throw new Error('expected one candidate')
  return first.comparison
}
