import { AssayError } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { comparisonTable } from '../figures/comparison-figures.ts'
import { tableCsv } from '../figures/figure.ts'
import { variantsFigure } from '../figures/variant-figures.ts'
import { comparisonsOf } from '../findings/comparisons.ts'
import { variantRowsOf } from '../findings/variants.ts'
import type { View } from '../findings/view.ts'

/** The comparisons, one row each; if nothing is compared, the variants. `collect` writes the runs. */
export function reportCsv(dataset: Dataset, view: View): string {
  const compared = comparisonsOf(dataset, view)
  if ('found' in compared) {
    const { comparisons } = compared.found
    return tableCsv(comparisonTable(comparisons))
  }
  const variants = variantRowsOf(dataset, view)
  if ('reason' in variants) throw new AssayError('usage', `there is no table to write: ${variants.reason}`)
  return tableCsv(variantsFigure(variants.found).table)
}
