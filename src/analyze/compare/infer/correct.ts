import { AssayError } from '../../../util/errors.ts'
import { adjustedP } from '../../adjust.ts'
import type { CandidateCorrection, Correction } from '../../choices.ts'
import type { Draft } from '../comparison.ts'
import { corrected } from './equivalence.ts'
import type { Joint } from './max-t.ts'

/** The comparisons of one family, corrected for several candidates: differences, equivalence and non-inferiority. */
export function correctedDrafts(
  drafts: readonly Draft[],
  joint: readonly Joint[] | null,
  {
    correction,
    alpha,
    chosenFrom,
  }: { readonly correction: CandidateCorrection; readonly alpha: number; readonly chosenFrom?: number },
  ofOtherMetrics: readonly Draft[] = [],
): readonly Draft[] {
  const adjusted = (of: (draft: Draft) => number | null) => adjustedP(drafts.map(of), byP(correction), chosenFrom)
  const metrics = 1 + ofOtherMetrics.length / Math.max(1, drafts.length)
  if (joint !== null && metrics > 1)
    throw new AssayError('usage', '--correction max-t draws the candidates of one metric, and a family has several', {
      hint: '--correction holm corrects for all metrics and candidates',
    })
  const all = [...drafts, ...ofOtherMetrics]
  const differences =
    joint === null
      ? adjustedP(
          all.map(({ p }) => p),
          byP(correction),
          Math.max(drafts.length, chosenFrom ?? 0) * metrics,
        )
      : jointP(drafts, joint)
  const equivalent = adjusted(({ equivalence }) => equivalence?.p ?? null)
  const notWorse = adjusted(({ equivalence }) => equivalence?.not_worse_p ?? null)
  return drafts.map((draft, at) => ({
    ...draft,
    p_adjusted: differences[at] ?? null,
    equivalence:
      draft.equivalence &&
      corrected(
        draft.equivalence,
        { p_adjusted: equivalent[at] ?? null, not_worse_p_adjusted: notWorse[at] ?? null },
        alpha,
      ),
  }))
}

/** Resampling candidates together does not cover margins: there Holm's rule is used. */
const byP = (correction: CandidateCorrection): Correction => (correction === 'max-t' ? 'holm' : correction)

/**
 * Never less than the candidate's own p: joint resampling must not make one of them more certain. Nor more than
 * Bonferroni's, which joint resampling improves on, unless there are too few resamples for such a small p.
 */
const jointP = (drafts: readonly Draft[], joint: readonly Joint[]): readonly (number | null)[] =>
  drafts.map(({ p }, at) => {
    const together = joint[at]?.p ?? null
    return p === null || together === null ? null : Math.max(p, Math.min(together, p * drafts.length))
  })
