import type { SQLOutputValue } from 'node:sqlite'
import { damaged } from './stored.ts'

/** What the columns of a row hold, by the name that the query gives them. */
export interface Columns {
  readonly [name: string]: Column<unknown>
}

/** Whether a value is right, and what would be. */
export interface Column<T> {
  readonly isRight: (value: unknown) => value is T
  readonly what: string
}

export type RowOf<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer T> ? T : never
}

/**
 * A row whose columns have been checked: SQLite keeps the types of the tables, which are STRICT, but a query may compute
 * something else, and another program may have changed the file. `table` is named in errors.
 */
export function checkedRow<Of extends Columns>(
  row: { readonly [column: string]: SQLOutputValue },
  columns: Of,
  table: string,
  journal: { readonly file: string },
): RowOf<Of> {
  if (hasColumns(row, columns)) return row
  const wrong = Object.entries(columns).find(([name, { isRight }]) => !isRight(row[name]))
  const [name, { what }] = wrong ?? ['', { what: '' }]
  throw damaged(String(row[name]), `${table}.${name}`, journal, what)
}

function hasColumns<Of extends Columns>(row: object, columns: Of): row is RowOf<Of> {
  const found: { readonly [column: string]: unknown } = { ...row }
  for (const name in columns) if (columns[name]?.isRight(found[name]) !== true) return false
  return true
}

export const text: Column<string> = { isRight: value => typeof value === 'string', what: 'a text' }

export const number: Column<number> = { isRight: value => typeof value === 'number', what: 'a number' }

export const oneOf = <const T extends string>(choices: readonly T[]): Column<T> => {
  const known: ReadonlySet<unknown> = new Set(choices)
  return { isRight: (value): value is T => known.has(value), what: `one of ${choices.join(', ')}` }
}

export const orNull = <T>({ isRight, what }: Column<T>): Column<T | null> => ({
  isRight: (value): value is T | null => value === null || isRight(value),
  what: `${what} or nothing`,
})
