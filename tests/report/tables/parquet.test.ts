import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { parquetOf } from '../../../src/report/tables.ts'

const tableOf = (columns: number, rows: number) => {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`)
  const cell = (column: number, row: number) => (column % 2 === 0 ? column + row / 4 : `of ${column}, ${row % 7}`)
  return {
    columns: names,
    rows: Array.from({ length: rows }, (_, row) =>
      Object.fromEntries(names.map((name, column) => [name, (row + column) % 5 === 0 ? null : cell(column, row)])),
    ),
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer

it.each([
  [3, 0],
  [3, 7],
  [4, 1000],
  [2, 2500],
])('is what its library writes at once: %i columns, %i rows', async (columns, rows) => {
  const table = tableOf(columns, rows)
  const columnData = table.columns.map((name, at) => ({
    name,
    data: table.rows.map(row => row[name] ?? null),
    type: at % 2 === 0 && rows > 0 ? ('DOUBLE' as const) : ('STRING' as const),
    nullable: true,
  }))
  expect(Buffer.from(await parquetOf(table))).toEqual(Buffer.from(parquetWriteBuffer({ columnData })))
})

it('has all columns of a wide table, which goes without statistics: they cost the square of its columns', async () => {
  const table = tableOf(600, 3)
  const file = bufferOf(await parquetOf(table))
  expect(await parquetReadObjects({ file })).toEqual(table.rows)
  const { columns = [] } = parquetMetadata(file).row_groups[0] ?? {}
  expect(columns.filter(({ meta_data }) => meta_data?.statistics !== undefined)).toEqual([])
})
