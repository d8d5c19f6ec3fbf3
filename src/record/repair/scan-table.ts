import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** A row as it was read, before it is checked. */
export type RawRow = { readonly [column: string]: SQLInputValue }

/** Row numbers are far below this, and a scan that doubles its steps gets there in 50. */
const beyondAll = 2 ** 50

/**
 * All rows of a table with row ids that are still readable. After an unreadable page, the next readable one is searched
 * in doubling steps, and the skipped part is read from the other side.
 */
export function* scanTable(database: DatabaseSync, table: string): Generator<RawRow> {
  let from = 0
  for (;;) {
    let step = 1
    let isRead = yield* part(database, table, 'ASC', from, beyondAll)
    if (isRead.isWhole) return
    from = Math.max(from, isRead.last + 1)
    for (;;) {
      const at = from + step
      if (at > beyondAll) return
      const first = firstFrom(database, table, at)
      if (first !== null) {
        isRead = yield* part(database, table, 'DESC', from, first - 1)
        from = first
        break
      }
      step *= 2
    }
  }
}

interface Read {
  readonly isWhole: boolean
  readonly last: number
}

function* part(
  database: DatabaseSync,
  table: string,
  order: 'ASC' | 'DESC',
  from: number,
  to: number,
): Generator<RawRow, Read> {
  let last = from - 1
  try {
    const sql = `SELECT rowid AS scanned_id, * FROM ${table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid ${order}`
    for (const { scanned_id, ...row } of database.prepare(sql).iterate(from, to)) {
      last = Number(scanned_id)
      yield row
    }
    return { isWhole: true, last }
  } catch {
    return { isWhole: false, last }
  }
}

function firstFrom(database: DatabaseSync, table: string, at: number): number | null {
  try {
    const row = database.prepare(`SELECT rowid AS id FROM ${table} WHERE rowid >= ? ORDER BY rowid LIMIT 1`).get(at)
    return row === undefined ? null : Number(row.id)
  } catch {
    return null
  }
}

/** Rows of a query, up to the first that can't be read. */
export function* readable(database: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): Generator<RawRow> {
  try {
    for (const row of database.prepare(sql).iterate(...values)) yield { ...row }
  } catch {
    // The rest is lost, or found elsewhere.
  }
}
