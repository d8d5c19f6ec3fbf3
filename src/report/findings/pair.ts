import { type Comparison, compareArms, defaultQuestion } from '../../analyze/compare/compare.ts'
import { type ResultsDiff, resultsBetween } from '../../analyze/diff.ts'
import { type Variant, variantsOf } from '../../analyze/variants.ts'
import type { Evidence } from '../../define/observation.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { type View, viewedRuns } from './view.ts'

/**
 * One variant against another, as in `assay compare`: `["a", "b"]` are their labels. Next to their names they are A and
 * B.
 */
export function pairOf(dataset: Dataset, view: View, labels: string): OrReason<Comparison> {
  return orReason(() => {
    const { evidence, reading, summary } = viewedRuns(dataset, view)
    const [control, candidate] = bothOf(evidence, labels)
    const [compared] = compareArms(evidence, {
      ...defaultQuestion,
      ...(summary !== null && { summarised: summary }),
      control: { ...control, label: 'A' },
      candidates: [{ ...candidate, label: 'B' }],
      reading,
      alpha: view.alpha,
      correction: 'none',
    })
    if (compared === undefined) throw new AssayError('usage', 'nothing was compared')
    return compared.comparison
  })
}

/** Two variants with their runs, and where these differ. */
interface SideBySide {
  readonly one: Variant
  readonly other: Variant
  readonly parted: ResultsDiff
}

export function sideBySideOf(dataset: Dataset, view: View, labels: string): OrReason<SideBySide> {
  return orReason(() => {
    const { evidence, reading } = viewedRuns(dataset, view)
    const [one, other] = bothOf(evidence, labels)
    return { one, other, parted: resultsBetween(evidence, one, other, reading) }
  })
}

function bothOf(evidence: Evidence, labels: string): readonly [Variant, Variant] {
  const variants = variantsOf(evidence)
  const [one, other] = (JSON.parse(labels) as readonly string[]).map(label =>
    variants.find(variant => variant.label === label),
  )
  if (one === undefined || other === undefined)
    throw new AssayError('usage', 'not both of these variants are in this report')
  return [one, other]
}
