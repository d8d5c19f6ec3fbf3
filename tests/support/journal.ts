import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Rows of an experiment's journal, read by plain SQL, without any code of assay. */
export function journalRows<Row = Record<string, unknown>>(dir: string, sql: string): Row[] {
  const database = new DatabaseSync(join(dir, 'journal.db'), { readOnly: true })
  try {
    return database.prepare(sql).all() as Row[]
  } finally {
    database.close()
  }
}
