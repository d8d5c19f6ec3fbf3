import { armsFor } from '../../src/analyze/arms.ts'
import { type Compared, type Comparison, compareArms, type Question } from '../../src/analyze/compare/compare.ts'
import { readingOf } from '../../src/analyze/reading.ts'
import type { Evidence } from '../../src/define/observation.ts'

/** Every candidate against the control; what is not said is as the command line has it. */
export function askAll(evidence: Evidence, question: Partial<Question> = {}): readonly Compared[] {
  return compareArms(evidence, {
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
  })
}

/** The only candidate against the control. */
export function ask(evidence: Evidence, question: Partial<Question> = {}): Comparison {
  const [first, ...others] = askAll(evidence, question)
  if (first === undefined || others.length > 0) throw new Error('expected one candidate')
  return first.comparison
}
