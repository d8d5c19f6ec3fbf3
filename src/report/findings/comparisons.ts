import { bestCandidates, fewCandidates, mostCandidates } from '../../analyze/best-candidates.ts'
import { compareArms, concluded, type Question } from '../../analyze/compare/compare.ts'
import type { Comparison } from '../../analyze/compare/comparison.ts'
import { defaultDrawing } from '../../analyze/compare/method.ts'
import { armsFor } from '../../analyze/default-arms.ts'
import type { Reading } from '../../analyze/reading.ts'
import { type ArmSamples, samplesOf } from '../../analyze/samples.ts'
import type { Evidence } from '../../plan/evidence.ts'
import { AssayError } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { lookedAt } from './looked-at.ts'
import { type View, varyingFactors } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

/** The baseline against every other arm: what `assay compare` says with the same wishes. */
export interface Comparisons {
  readonly baseline: string
  readonly comparisons: readonly Comparison[]
  /** So many candidates there were, where only the best of them are compared. */
  readonly chosenFrom?: number
}

export function comparisonsOf(dataset: Dataset, view: View): OrReason<Comparisons> {
  return orReason(() => {
    const { evidence, reading, summary } = lookedAt(dataset, view)
    const question = questionOf(evidence, reading, view)
    const compared = compareArms(evidence, question)
    return {
      baseline: question.control.label,
      ...(question.chosenFrom === undefined ? {} : { chosenFrom: question.chosenFrom }),
      comparisons: compared.map(({ comparison }) =>
        summary === null ? comparison : concluded({ ...comparison, summary }, question),
      ),
    }
  })
}

/** The numbers behind one of the comparisons, for pictures. */
export function armSamplesOf(dataset: Dataset, view: View, candidate: string): OrReason<ArmSamples> {
  return orReason(() => {
    const { evidence, reading } = lookedAt(dataset, view)
    const { control, candidates, isPaired, missing } = questionOf(evidence, reading, view)
    const arm = candidates.find(({ label }) => label === candidate)
    if (arm === undefined) throw new AssayError('usage', `there is no arm ${candidate}`)
    return samplesOf(evidence, { control, candidate: arm }, reading, { isPaired, missing })
  })
}

/** What nobody has to say: the defaults of the command line. */
export const usualQuestion = {
  isPaired: true,
  missing: 'failed',
  method: 'auto',
  alternative: 'two-sided',
  margin: null,
  correction: 'holm',
  drawing: defaultDrawing,
} as const satisfies Partial<Question>

export function questionOf(evidence: Evidence, reading: Reading, { group, baseline, alpha }: View): Question {
  if (group.length === 0) throw new AssayError('usage', nothingToCompare(evidence))
  const { control, candidates } = armsFor(evidence, { control: baseline })
  return {
    control,
    ...(candidates.length > mostCandidates
      ? { candidates: bestCandidates(candidates, reading, fewCandidates), chosenFrom: candidates.length }
      : { candidates }),
    reading,
    alpha,
    ...usualQuestion,
  }
}

const nothingToCompare = (evidence: Evidence): string =>
  varyingFactors(evidence).length === 0
    ? 'there is one variant: nothing to compare it with'
    : 'nothing is compared: choose what to compare by'
