import { requireThat } from '../../../src/stats/estimate.ts'
import type { Alternative, ExactP } from '../../../src/stats/tests/alternative.ts'

/** Vectors say `alternative` or `side`, in the words of scipy or of statsmodels. */
export function alternativeOf(input: { alternative?: string; side?: string }): Alternative {
  const word = input.alternative ?? input.side ?? 'two-sided'
  const known = words[word]
  requireThat(known !== undefined, `an alternative, not ${word}`)
  return known
}

const words: Readonly<Record<string, Alternative>> = {
  'two-sided': 'two-sided',
  greater: 'greater',
  larger: 'greater',
  less: 'less',
  smaller: 'less',
}

export function chosenP(p: ExactP, alternative: Alternative): number {
  return alternative === 'two-sided' ? p.twoSided : p[alternative]
}
