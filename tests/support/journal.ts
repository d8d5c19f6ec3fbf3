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

const sinceVersion6 = [
  'overrun_usd',
  'purpose',
  'model',
  'calls',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
]

/** SQL that turns a journal into one of version 8. */
const backToVersion8 = `
ALTER TABLE experiment DROP COLUMN clock_boot;
ALTER TABLE workers DROP COLUMN joined_elapsed;
ALTER TABLE workers DROP COLUMN heartbeat_elapsed;
PRAGMA user_version = 8;
`

/** SQL that turns a journal into one of version 7. */
const backToVersion7 = `
${backToVersion8}
ALTER TABLE runs DROP COLUMN cost_unknown;
${['cost_unknown', 'pays_by_call', 'open_calls', 'open_tokens', 'open_usd', 'open_unpriced']
  .map(column => `ALTER TABLE attempts DROP COLUMN ${column};`)
  .join('\n')}
PRAGMA user_version = 7;
`

/** SQL that turns a journal into one of version 6. */
const backToVersion6 = `
${backToVersion7}
DROP INDEX runs_trial;
DROP TABLE trials;
ALTER TABLE runs DROP COLUMN trial;
PRAGMA user_version = 6;
`

/** SQL that turns a journal into one of version 5. */
export const backToVersion5 = `
${backToVersion6}
${sinceVersion6.map(column => `ALTER TABLE ledger DROP COLUMN ${column};`).join('\n')}
PRAGMA user_version = 5;
`

/** SQL that turns a journal into one of version 4. */
export const backToVersion4 = `
${backToVersion5}
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

/** SQL that turns a journal into one of version 3. */
export const backToVersion3 = `
${backToVersion4}
${Object.entries(sinceVersion4)
  .flatMap(([table, columns]) => columns.map(column => `ALTER TABLE ${table} DROP COLUMN ${column};`))
  .join('\n')}
PRAGMA user_version = 3;
`

/** SQL that turns a journal into one of version 2. */
export const backToVersion2 = `
${backToVersion3}
UPDATE experiment SET definition = (SELECT text FROM definitions);
DROP TABLE definitions;
DROP INDEX runs_uncompleted;
PRAGMA user_version = 2;
`
