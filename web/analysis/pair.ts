import { compareArms, concluded, type Question } from '../../src/analyze/compare/compare.ts'
import type { Comparison } from '../../src/analyze/compare/comparison.ts'
import { variantsOf } from '../../src/analyze/variants.ts'
import type { Dataset } from '../../src/report/dataset/dataset.ts'
import { usualQuestion } from '../../src/report/findings/comparisons.ts'
import { viewedRuns } from '../../src/report/findings/runs.ts'
import type { View } from '../../src/report/findings/view.ts'
import { type OrReason, orReason } from '../../src/report/findings/wording/texts.ts'
import { AssayError } from '../../src/util/errors.ts'

/** One variant against another, as `assay compare` would: `["a", "b"]` are their labels. Beside their names they are A and B. */
export function pairOf(dataset: Dataset, view: View, labels: string): OrReason<Comparison> {
  return orReason(() => {
    const { evidence, reading, summary } = viewedRuns(dataset, view)
    const variants = variantsOf(evidence)
    const [control, candidate] = (JSON.parse(labels) as readonly string[]).map(label =>
      variants.find(variant => variant.label === label),
    )
    if (control === undefined || candidate === undefined)
      throw new AssayError('usage', 'not both of these variants are in this report')
    const question: Question = {
      control: { ...control, label: 'A' },
      candidates: [{ ...candidate, label: 'B' }],
      reading,
      alpha: view.alpha,
      ...usualQuestion,
      correction: 'none',
    }
    const [compared] = compareArms(evidence, question)
    if (compared === undefined) throw new AssayError('usage', 'nothing was compared')
    return summary === null ? compared.comparison : concluded({ ...compared.comparison, summary }, question)
  })
}
