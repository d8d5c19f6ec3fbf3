import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Json } from '../../util/json.ts'
import type { Table } from '../tables.ts'

/**
 * The table as a Parquet file, for pandas, Polars, DuckDB and the like. Numbers are doubles, so that a parameter that is
 * whole in one experiment and not in the next has one type; a column of several kinds is text.
 */
export function parquetOf({ columns, rows }: Table): Uint8Array {
  const columnData = columns.map(name =>
    columnOf(
      name,
      rows.map(row => row[name] ?? null),
    ),
  )
  return new Uint8Array(parquetWriteBuffer({ columnData }))
}

function columnOf(name: string, cells: readonly Json[]) {
  const kinds = new Set(cells.filter(cell => cell !== null).map(cell => typeof cell))
  const [kind] = kinds
  if (kinds.size === 1 && kind === 'number') return { name, data: [...cells], type: 'DOUBLE' as const, nullable: true }
  if (kinds.size === 1 && kind === 'boolean')
    return { name, data: [...cells], type: 'BOOLEAN' as const, nullable: true }
  const data = cells.map(cell => (cell === null || typeof cell === 'string' ? cell : JSON.stringify(cell)))
  return { name, data, type: 'STRING' as const, nullable: true }
}
