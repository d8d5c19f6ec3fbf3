import type { Evidence } from '../../plan/evidence.ts'
import { questionSettings } from '../compare/comparison-provenance.ts'
import { type Provenance, provenanceOf } from '../provenance/provenance.ts'
import { withAndWithoutValue } from '../provenance/with-value.ts'
import { variantsOf } from '../variants.ts'
import type { Effects, EffectsQuestion } from './effects.ts'

/** Every run counts towards a level of each factor: the arms are the variants. */
export function effectsProvenance(
  evidence: Evidence,
  question: EffectsQuestion,
  { main, interactions }: Effects,
  filter: readonly string[] | undefined,
): Provenance {
  const read = withAndWithoutValue(variantsOf(evidence), question.reading)
  const isZero = question.missing === 'zero'
  return provenanceOf(evidence, {
    filter,
    arms: isZero ? variantsOf(evidence) : read.arms,
    excluded: isZero ? [] : read.excluded,
    settings: questionSettings(
      question,
      [...main, ...interactions].map(({ ci }) => ci?.method),
    ),
  })
}
