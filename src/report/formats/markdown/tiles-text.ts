import type { Comparison } from '../../../analyze/compare/compare.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { View } from '../../findings/view.ts'
import { tilesOf } from '../../findings/wording/page-words.ts'
import { tableText } from './parts.ts'

/** The numbers behind the headline. */
export function tilesText(dataset: Dataset, view: Pick<View, 'filter'>, about: Comparison | null): string {
  const tiles = tilesOf(dataset, view, about)
  if (tiles.length === 0) return ''
  return tableText({
    columns: [{ name: '' }, { name: '' }, { name: '' }],
    rows: tiles.map(({ name, value, more }) => [name, value, more]),
  })
}
