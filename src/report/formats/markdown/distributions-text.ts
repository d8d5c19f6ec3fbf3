import { sortedQuantile } from '../../../stats/index.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { valueWriting } from '../../figures/figure.ts'
import { type DistributionRow, distributionsOf } from '../../findings/variants.ts'
import type { View } from '../../findings/view.ts'
import { section, tableText } from './parts.ts'

const mostRows = 60

/** The distribution of runs, arm by arm; the page shows every run as a point. */
export function distributionsText(dataset: Dataset, view: View): string {
  const found = distributionsOf(dataset, view)
  if ('reason' in found) return ''
  const { metric, rows } = found.found
  const write = valueWriting(metric)
  const table = tableText(
    {
      columns: [
        { name: 'arm' },
        { name: 'runs with a value', write: String },
        { name: 'without', write: String },
        ...['least', 'lower quartile', 'median', 'upper quartile', 'most'].map(name => ({ name, write })),
      ],
      rows: rows.map(rowOf),
    },
    mostRows,
  )
  const left = rows.length - mostRows
  return section(`${metric} over runs`, left > 0 ? `${table}\n\n${left} more rows.` : table)
}

function rowOf({ label, values, missing }: DistributionRow) {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => (sorted.length === 0 ? null : sortedQuantile(sorted, share))
  return [label, values.length, missing, at(0), at(0.25), at(0.5), at(0.75), at(1)]
}
