import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { text } from '../../../src/record/journal/columns.ts'
import {
  definitionOf,
  fingerprintParts,
  labelsOf,
  limitsSet,
  loggedEvents,
  ownDefinitionOf,
  plannerStateOf,
  planOptionsOf,
  programDigests,
  type RecordedExperiment,
  readExperiment,
} from '../../../src/record/journal/experiment-row.ts'
import { Journal } from '../../../src/record/journal/journal.ts'
import { provenanceOfProcesses } from '../../../src/record/provenance/provenance.ts'
import { journalRates, unusedRate } from '../../../src/record/rates/rate-store.ts'
import {
  bestRun,
  callCosts,
  costsByToken,
  journalVersion,
  newestFailures,
  reportedPoints,
  runningSeries,
  settledSeries,
} from '../../../src/record/read/activity.ts'
import { observationsSince, plannedRun, recordedRuns, runNamed } from '../../../src/record/read/observations.ts'
import { endedStandings, standing, standingReader } from '../../../src/record/read/standing.ts'
import { claimNext, openTrials, stoppedTrials } from '../../../src/record/runs/claim.ts'
import { lastingNames, seedsInDefinition } from '../../../src/record/runs/offer.ts'
import { attemptTokens, takeOver, workersHere } from '../../../src/record/runs/workers.ts'
import { AssayError } from '../../../src/util/errors.ts'
import { assay, complaint, folderWith } from '../../support/assay.ts'
import { changeJournal, journalRows } from '../../support/journal.ts'
import { prepared } from '../../support/prepared.ts'

/** Every column that holds JSON. */
const columns = [
  'definitions.text',
  'experiment.plan_options',
  'experiment.planner_state',
  'experiment.limits_set',
  'experiment.programs',
  'fingerprints.parts',
  'runs.spec',
  'attempts.facts',
  'attempts.outputs',
  'series.steps',
  'series.points',
  'provenance.facts',
  'events.data',
  'rates.state',
] as const

const garbage = ['', '{', 'null', '5', '"text"', '[null]', '[{}]', '{"a":[1]}', '{"kind":5,"message":7}', 'true']

/** Any of these may be stored there. */
const harmless: { readonly [column: string]: readonly string[] } = {
  'experiment.planner_state': ['null', '5', '"text"', '[null]', '[{}]', '{"a":[1]}', '{"kind":5,"message":7}', 'true'],
  'fingerprints.parts': ['{"a":[1]}', '{"kind":5,"message":7}'],
  'attempts.facts': ['{"a":[1]}'],
  'provenance.facts': ['{"a":[1]}', '{"kind":5,"message":7}'],
  'events.data': ['{"a":[1]}', '{"kind":5,"message":7}'],
}

/** All that is asked of a journal, one question after the other. */
const questions: readonly ((journal: Journal, row: RecordedExperiment, dir: string) => unknown)[] = [
  definitionOf,
  ownDefinitionOf,
  planOptionsOf,
  plannerStateOf,
  limitsSet,
  programDigests,
  (journal, row) => fingerprintParts(journal, row.fingerprint),
  journal => loggedEvents(journal, 100),
  journal => [...recordedRuns(journal, { series: 'all', attempts: true })],
  journal => observationsSince(journal, 0),
  journal => newestFailures(journal, 10),
  journal => runningSeries(journal, { mostMetrics: 9, mostPoints: 9 }),
  journal => runNamed(journal, firstName(journal)),
  journal => plannedRun(journal, firstName(journal)),
  (journal, row) => {
    const read = standingReader(journal, row.fingerprint)
    return journal.all({ key: text }, 'SELECT key FROM runs ORDER BY id').map(({ key }) => read(key))
  },
  endedStandings,
  provenanceOfProcesses,
  journal => [...reportedPoints(journal)],
  journal => settledSeries(journal, 'loss', 0),
  (journal, _, dir) => standing(journal, dir),
  journal => journalRates(journal).all(),
  seedsInDefinition,
  (journal, row) => lastingNames(journal, definitionOf(journal, row)),
]

const made = prepared(async () => {
  const cwd = folderWith({
    'e.yaml': `
name: e
target: { kind: function, module: f.mjs }
factors: { size: [1, 2] }
seeds: [1, 2]
outputs: [{ path: out/a.txt, required: false }]
metrics: { loss: {} }
naming: "{name}.{size}.{seed}"
`,
    'f.mjs': `export default ({ size }, { report }) => {
  if (size === 2) throw new Error('too large')
  for (const step of [1, 2, 3]) report('loss', 1 / step, step)
}`,
  })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  const dir = join(cwd, 'results/e')
  const journal = Journal.open(join(dir, 'journal.db'))
  journalRates(journal).write({ provider: 'sim', key: 'k' }, unusedRate)
  journal.close()
  for (const column of columns) {
    const [table = '', name = ''] = column.split('.')
    expect(journalRows(dir, `SELECT ${name} FROM ${table} LIMIT 1`), column).toHaveLength(1)
  }
  return dir
})

/** A journal in which every row of a column holds this. */
function damage(dir: string, column: string, text: string): void {
  const [table = '', name = ''] = column.split('.')
  changeJournal(dir, `UPDATE ${table} SET ${name} = '${text}'`)
}

/** An unknown limit may be one of a newer assay: nothing says that it is damage. */
const codeOf = (column: string, text: string): string =>
  column === 'experiment.limits_set' && text.startsWith('{"') ? 'newer_version' : 'unreadable_journal'

it.each(columns)('every query is answered or refused by name if %s is damaged', async column => {
  const dir = await made()
  const file = join(dir, 'journal.db')
  const journal = Journal.open(file)
  onTestFinished(() => journal.close())
  for (const text of garbage) {
    damage(dir, column, text)
    const row = readExperiment(journal)
    if (row === undefined) throw new Error('the journal has no experiment')
    const refusals = questions.flatMap(question => {
      try {
        question(journal, row, dir)
        return []
      } catch (error) {
        return [error]
      }
    })
    for (const error of refusals) {
      expect(error, text).toBeInstanceOf(AssayError)
      expect(error, text).toMatchObject({ code: codeOf(column, text), message: expect.stringContaining(file) })
    }
    expect(refusals.length > 0, text).toBe(!(harmless[column] ?? []).includes(text))
  }
})

/** Questions about columns that hold no JSON. */
const plainQuestions: typeof questions = [
  ...questions,
  workersHere,
  costsByToken,
  openTrials,
  stoppedTrials,
  attemptTokens,
  journalVersion,
  journal => callCosts(journal),
  journal => labelsOf(journal, null),
  journal => [...(recordedRuns(journal).next().value?.tags ?? [])],
  journal => bestRun(journal, 'loss', 'minimize'),
  journal => takeOver(journal, { id: 1, countsProcessesAlike: true }, 1, 0),
  (journal, { fingerprint }) =>
    claimNext(journal, {
      ...{ workerId: 9, fingerprint, token: 'next', now: 0, elapsed: 1, lostFewerThan: 9, capOf: () => null },
      ...{ timeoutMs: null, budgetUsd: null },
    }),
]

/** Columns used only in SQL, to select or sum rows, and columns that are only written. */
const onlyInQueries: { readonly [table: string]: string } = {
  experiment: 'planner_lease clock_boot',
  definitions: 'id',
  fingerprints: 'hash',
  runs: 'generation position ready_at token retries counts_from cost_usd cost_assumed in_definition cost_unknown',
  trials: 'taken_by',
  attempts: `run_id reserved_usd command cwd has_directory capped_usd calls tokens cost_unknown pays_by_call open_calls
    open_tokens open_usd open_unpriced`,
  ledger: `attempt_id at kind usd overrun_usd purpose calls input_tokens cached_input_tokens cache_write_tokens
    output_tokens reasoning_tokens`,
  workers: 'provenance_id left_at',
  provenance: 'at',
  labels: 'at',
  events: 'kind',
}

/** A journal whose tables take any value, as another program may leave it; each table has a row. */
const loose = async (): Promise<{ readonly journal: Journal; readonly dir: string }> => {
  const dir = await made()
  const file = join(dir, 'journal.db')
  const database = new DatabaseSync(file, { defensive: false })
  database.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), ') STRICT', ')');
    PRAGMA writable_schema = RESET;
    PRAGMA foreign_keys = OFF;
    INSERT INTO labels (run_id, kind, text, at) VALUES (1, 'tag', 'a', 1), (NULL, 'note', 'b', 1);
    INSERT INTO trials (id, stopped) VALUES ('t', 'why');
    INSERT INTO ledger (attempt_id, at, kind, usd, model, calls) VALUES (1, 1, 'charge', 1, 'm', 1);
    UPDATE runs SET state = 'ready', trial = 't' WHERE id = 1; UPDATE runs SET attempts = 2 WHERE id = 2;
    UPDATE attempts SET ended_at = NULL WHERE id = 1; UPDATE workers SET left_at = NULL`)
  database.close()
  const journal = Journal.open(file)
  onTestFinished(() => journal.close())
  journal.run('PRAGMA foreign_keys = OFF')
  journal.run('PRAGMA ignore_check_constraints = ON')
  return { journal, dir }
}

it('names a column of the wrong type', async () => {
  const { journal, dir } = await loose()
  const all = journal.all(
    { table: text, column: text },
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
     WHERE t.type = 'table' AND NOT (c.pk = 1 AND c.type = 'INTEGER')`,
  )
  // Blobs of their own, as some columns are unique.
  const silent = all
    .map(({ table, column }) => `${table}.${column}`)
    .filter(column => !isRefused(journal, dir, column, 'randomblob(8)'))
  expect(silent).toEqual(
    Object.entries(onlyInQueries).flatMap(([table, names]) => names.split(/\s+/).map(name => `${table}.${name}`)),
  )
})

it('names a column with an unknown word', async () => {
  const { journal, dir } = await loose()
  const columns = ['runs.state', 'runs.outcome', 'runs.mode', 'attempts.outcome', 'attempts.mode', 'workers.kind']
  const words = [...columns, 'labels.kind', 'experiment.control']
  expect(words.filter(column => !isRefused(journal, dir, column, "'odd'"))).toEqual([])
})

/** Whether a question is refused by the name of a column, all of whose rows hold this. */
function isRefused(journal: Journal, dir: string, column: string, value: string): boolean {
  const [table = '', name = ''] = column.split('.')
  journal.run('BEGIN')
  try {
    journal.run(`UPDATE ${table} SET ${name} = ${value}`)
    const refusals = refusalsOf(journal, dir)
    for (const error of refusals) expect(error, column).toMatchObject({ code: 'unreadable_journal' })
    return refusals.some(({ message }) => message.includes(`${column} should hold`))
  } finally {
    journal.run('ROLLBACK')
  }
}

function refusalsOf(journal: Journal, dir: string): readonly Error[] {
  const errors: Error[] = []
  const attempted = <T>(ask: () => T): T | undefined => {
    try {
      return ask()
    } catch (error) {
      errors.push(error instanceof Error ? error : new Error(String(error)))
      return undefined
    }
  }
  const row = attempted(() => readExperiment(journal))
  if (row !== undefined) for (const question of plainQuestions) attempted(() => question(journal, row, dir))
  return errors
}

it.each([
  ['runs.spec', ['collect']],
  ['definitions.text', ['status']],
  ['experiment.limits_set', ['status']],
  ['series.points', ['export', '--what', 'series']],
] as const)('the command line says that %s is damaged', async (column, command) => {
  const dir = await made()
  damage(dir, column, '{"a":')
  const [name, ...options] = command
  const refused = await assay([name, dir, ...options], { cwd: dir })
  expect(refused.status, refused.stdout).toBe(2)
  expect(complaint(refused, { cwd: dir })).toContain(`<cwd>/journal.db`)
  expect(refused.stderr).not.toMatch(/TypeError|at .*\.ts/)
})

const firstName = (journal: Journal): string => journal.get({ name: text }, 'SELECT name FROM runs')?.name ?? ''

it('reopening a deleted journal does not create a new one', () => {
  const file = join(folderWith({}), 'journal.db')
  Journal.open(file).close()
  const again = Journal.openAgain(file)
  expect(again.place()).toBe('in_place')
  again.close()
  rmSync(file)
  expect(() => Journal.openAgain(file)).toThrow(/there is no experiment here/)
  expect(existsSync(file)).toBe(false)
})
