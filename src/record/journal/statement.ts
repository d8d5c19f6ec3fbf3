import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Columns, RowOf } from './columns.ts'
import { damaged } from './stored.ts'

type Values = readonly SQLInputValue[]

/**
 * A statement whose rows are plain objects with checked columns. Rows that Node makes have no prototype, and V8 gives each
 * of them a hidden class of its own, which stays in memory until a full collection: with ten rows a run, most of what a
 * million runs leave behind. So Node is asked for lists.
 *
 * All tables are STRICT, but a query may compute something else, and another program may have changed the file. Which
 * check belongs to which column is found once, so that a row costs no more than a comparison for each column.
 */
export class Statement {
  readonly #statement: StatementSync
  readonly #journal: { readonly file: string }
  #names: readonly string[] = []
  #columns: Columns | undefined
  /** In the order of the names; undefined: any value will do. */
  #checks: readonly (Columns[string] | undefined)[] = []

  constructor(statement: StatementSync, journal: { readonly file: string }) {
    this.#statement = statement
    this.#journal = journal
    statement.setReturnArrays(true)
  }

  run(values: Values): ReturnType<StatementSync['run']> {
    return this.#statement.run(...values)
  }

  has(values: Values): boolean {
    return this.#statement.get(...values) !== undefined
  }

  get<Of extends Columns>(columns: Of, values: Values): RowOf<Of> | undefined {
    const found: unknown = this.#statement.get(...values)
    return found === undefined ? undefined : this.#row(found, columns)
  }

  all<Of extends Columns>(columns: Of, values: Values): RowOf<Of>[] {
    const found: readonly unknown[] = this.#statement.all(...values)
    return found.map(one => this.#row(one, columns))
  }

  *iterate<Of extends Columns>(columns: Of, values: Values): Generator<RowOf<Of>, undefined> {
    for (const one of this.#statement.iterate(...values)) yield this.#row(one, columns)
  }

  #row<Of extends Columns>(found: unknown, columns: Of): RowOf<Of> {
    if (!Array.isArray(found)) throw new TypeError('expected the columns of a row as a list')
    // Determined again when a table has gained columns.
    if (this.#names.length !== found.length) this.#names = this.#statement.columns().map(({ name }) => name)
    if (this.#columns !== columns || this.#checks.length !== found.length) this.#findChecks(columns)
    const names = this.#names
    const checks = this.#checks
    const row: { [name: string]: unknown } = {}
    for (let at = 0; at < found.length; at++) {
      const value: unknown = found[at]
      const check = checks[at]
      if (check !== undefined && typeof value !== check.type && !check.isRight(value)) throw this.#wrong(at, value)
      row[names[at] ?? ''] = value
    }
    // TypeScript can't follow the checks above.
    return row as RowOf<Of>
  }

  #findChecks(columns: Columns): void {
    const missing = Object.keys(columns).find(name => !this.#names.includes(name))
    if (missing !== undefined)
      throw damaged('nothing', `the column ${missing}`, this.#journal, columns[missing]?.what ?? '')
    this.#checks = this.#names.map(name => columns[name])
    this.#columns = columns
  }

  /** Named as in the tables, if it is a column of one and not computed. */
  #wrong(at: number, value: unknown): Error {
    const { table, column, name } = this.#statement.columns()[at] ?? { table: null, column: null, name: '' }
    const place = table === null || column === null ? `${name}, which is computed from its rows,` : `${table}.${column}`
    return damaged(inWords(value), place, this.#journal, this.#checks[at]?.what ?? '')
  }
}

const inWords = (value: unknown): string =>
  value === null ? 'nothing' : value instanceof Uint8Array ? `${value.length} bytes` : String(value)
