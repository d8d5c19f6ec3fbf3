import type { SQLInputValue, StatementSync } from 'node:sqlite'

type Values = readonly SQLInputValue[]

/**
 * A statement whose rows are plain objects. Those that Node makes have no prototype, and V8 gives each of them a hidden class
 * of its own, which stays in memory until a full collection: with ten rows a run, most of what a million runs leave behind.
 * So Node is asked for lists.
 */
export class Statement {
  readonly #statement: StatementSync
  #names: readonly string[] = []

  constructor(statement: StatementSync) {
    this.#statement = statement
    statement.setReturnArrays(true)
  }

  run(values: Values): ReturnType<StatementSync['run']> {
    return this.#statement.run(...values)
  }

  get<Row>(values: Values): Row | undefined {
    const found: unknown = this.#statement.get(...values)
    return found === undefined ? undefined : this.#row<Row>(found)
  }

  all<Row>(values: Values): Row[] {
    const found: readonly unknown[] = this.#statement.all(...values)
    return found.map(one => this.#row<Row>(one))
  }

  *iterate<Row>(values: Values): Generator<Row, undefined> {
    for (const one of this.#statement.iterate(...values)) yield this.#row<Row>(one)
  }

  #row<Row>(found: unknown): Row {
    if (!Array.isArray(found)) throw new TypeError('expected the columns of a row as a list')
    // Asked again when a table has got more columns since.
    if (this.#names.length !== found.length) this.#names = this.#statement.columns().map(({ name }) => name)
    const row: { [name: string]: unknown } = {}
    for (let at = 0; at < found.length; at++) row[this.#names[at] ?? ''] = found[at]
    return row as Row
  }
}
