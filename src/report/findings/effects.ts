import { defaultDrawing } from '../../analyze/compare/method.ts'
import { type Effects, effectsOf } from '../../analyze/effects/effects.ts'
import { levelsOf } from '../../analyze/levels.ts'
import { variantsOf } from '../../analyze/variants.ts'
import type { SearchSpec } from '../../define/experiment.ts'
import type { Evidence } from '../../plan/evidence.ts'
import { AssayError } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { lookedAt } from './looked-at.ts'
import type { View } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

/** Beyond this a page would compute for minutes; the command line has the patience. */
const mostTests = 400

/** What each factor and ablation does: what `assay effects` says with the same wishes. */
export function factorEffectsOf(dataset: Dataset, view: View): OrReason<Effects> {
  return orReason(() => {
    const { evidence, reading } = lookedAt(dataset, view)
    const search = dataset.experiments.find(one => one.search !== null)?.search ?? null
    const chosen = search === null ? null : whyNotOfSearch(evidence, search)
    if (chosen !== null) throw new AssayError('usage', `${chosen}: see what it found below`)
    const tests = testsIn(evidence)
    if (tests > mostTests)
      throw new AssayError(
        'usage',
        `${tests} comparisons are too many for this page: filter, or ask assay effects on the command line`,
      )
    return effectsOf(
      { ...evidence, baseline: { ...evidence.baseline, ...view.baseline } },
      {
        reading,
        isPaired: true,
        missing: 'failed',
        method: 'auto',
        alpha: view.alpha,
        alternative: 'two-sided',
        correction: 'holm',
        drawing: defaultDrawing,
      },
    )
  })
}

/** Averages over what a search chose, or drew, are not those over a plan; null: a grid is one. */
function whyNotOfSearch(evidence: Evidence, { method, early_stop }: SearchSpec): string | null {
  if (evidence.search?.learns === true) return `a ${method} search chose the variants by their results`
  if (early_stop !== null) return `a ${method} search stopped variants early by their results`
  if (method === 'grid') return null
  return `a ${method} search drew the variants: they are no plan in which each level meets all others`
}

/** Levels against their baseline, pairs of such, and the first factor within every setting of the others. */
function testsIn(evidence: Evidence): number {
  const others = evidence.factors.map(factor => levelsOf(evidence, factor).length - 1).filter(count => count > 0)
  const main = others.reduce((sum, count) => sum + count, 0)
  const pairs = others.flatMap((a, at) => others.slice(at + 1).map(b => a * b)).reduce((sum, count) => sum + count, 0)
  return main + pairs + (others.length > 1 ? variantsOf(evidence).length : 0)
}
