import { defaultDrawing } from '../../analyze/compare/method.ts'
import { varianceReadings } from '../../analyze/variance/readings.ts'
import type { Variance } from '../../analyze/variance/variance.ts'
import { variances } from '../../analyze/variance/variances.ts'
import { variantsIn } from '../../analyze/variance/variants.ts'
import { AssayError } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { filtered, withWholeSeries } from './looked-at.ts'
import type { View } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

const threshold = 0.05

/** A curve over thousands of runs says nothing that the first hundreds do not. */
const mostRuns = 300
const mostVariants = 60

/** How much runs of one variant differ, against how many there are: what `assay variance` says. */
export function variationOf(dataset: Dataset, view: View): OrReason<readonly Variance[]> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const variants = variantsIn(evidence)
    if (variants.length > mostVariants || variants.some(({ runs }) => runs.length > mostRuns))
      throw new AssayError(
        'usage',
        'how much runs differ is not drawn for so many of them: assay variance does it, variant by variant',
      )
    const readings = varianceReadings(evidence, { metric: view.metric })
    const isThinned = readings.some(({ reading }) => reading.summary !== null) && dataset.kept.series_points !== null
    const groups = isThinned
      ? variances(withWholeSeries(dataset, evidence, view.metric, 'auc'), {
          ...asked(view),
          readings: readings.slice(0, 1).map(({ name, reading }) => ({ name, reading: { ...reading, summary: null } })),
        })
      : variances(evidence, { ...asked(view), readings })
    const usable = groups.filter(({ statistics }) => statistics.length > 0)
    if (usable.length === 0)
      throw new AssayError(
        'usage',
        `nothing is known about how much runs differ: no variant has two with a value of ${view.metric}`,
      )
    return usable
  })
}

const asked = ({ alpha }: View) => ({ threshold, level: 1 - alpha, drawing: defaultDrawing })
