import type { Comparison } from '../../../analyze/compare/comparison.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { tilesOf } from '../../findings/wording/tiles.ts'
import { tableText } from './parts.ts'

/** The numbers behind the headline, and whose they are. */
export function tilesText(dataset: Dataset, about: Comparison | null): string {
  const tiles = tilesOf(dataset, about)
  if (tiles.length === 0) return ''
  const whose = about === null ? '' : `${about.candidate} − ${about.control}`
  return tableText({
    columns: [{ name: whose }, { name: '' }, { name: '' }],
    rows: tiles.map(({ name, value, more }) => [name, value, more]),
  })
}
