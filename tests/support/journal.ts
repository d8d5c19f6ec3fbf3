import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Rows of an experiment's journal, read by plain SQL, without any code of assay. */
export function journalRows<Row = Record<string, unknown>>(dir: string, sql: string): Row[] {
  const database = new DatabaseSync(join(dir, 'journal.db'), { readOnly: true, timeout: 15_000 })
  try {
    return database.prepare(sql).all() as Row[]
  } finally {
    database.close()
  }
}

/** Changes an experiment's journal behind assay's back. */
export function changeJournal(dir: string, sql: string): void {
  const database = new DatabaseSync(join(dir, 'journal.db'), { timeout: 15_000 })
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

/** SQL that makes a journal of version 5 what version 4 would have written. */
export const backToVersion4 = `
ALTER TABLE definitions DROP COLUMN version;
PRAGMA user_version = 4;
`

const sinceVersion4 = {
  experiment: ['own_definition', 'definition_hash', 'definition_planned'],
  runs: [
    'counts_from',
    'cost_usd',
    'cost_assumed',
    'capped_usd',
    'calls',
    'tokens',
    'mode',
    'continues',
    'in_definition',
  ],
  attempts: ['mode', 'continues', 'place', 'capped_usd', 'calls', 'tokens'],
}

/** SQL that makes a journal of version 5 what version 3 would have written. */
export const backToVersion3 = `
${backToVersion4}
${Object.entries(sinceVersion4)
  .flatMap(([table, columns]) => columns.map(column => `ALTER TABLE ${table} DROP COLUMN ${column};`))
  .join('\n')}
PRAGMA user_version = 3;
`

/** SQL that makes a journal of version 5 what version 2 would have written. */
export const backToVersion2 = `
${backToVersion3}
UPDATE experiment SET definition = (SELECT text FROM definitions);
DROP TABLE definitions;
DROP INDEX runs_uncompleted;
PRAGMA user_version = 2;
`
