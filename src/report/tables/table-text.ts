import { csvLine } from '../../util/csv.ts'
import type { Json } from '../../util/json.ts'
import type { Table } from './table.ts'

/** How a cell is spelt; nothing for null. */
export type Spell = (column: string, value: Json | undefined) => string

export function csvText({ columns, rows }: Table, spell: Spell): string {
  const lines = rows.map(row => csvLine(columns.map(column => spell(column, row[column]))))
  return csvLine(columns) + lines.join('')
}

/** One JSON document a line, blanks as null. */
export function jsonlText({ columns, rows }: Table): string {
  return rows
    .map(row => `${JSON.stringify(Object.fromEntries(columns.map(column => [column, row[column] ?? null])))}\n`)
    .join('')
}
