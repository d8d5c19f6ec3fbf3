import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  definitionOf,
  type ExperimentRow,
  fingerprintParts,
  limitsSet,
  loggedEvents,
  ownDefinitionOf,
  plannerStateOf,
  planOptionsOf,
  programDigests,
  readExperiment,
} from '../../../src/record/journal/experiment-row.ts'
import { Journal } from '../../../src/record/journal/journal.ts'
import { provenanceOfProcesses } from '../../../src/record/provenance/provenance.ts'
import { journalRates, unusedRate } from '../../../src/record/rates/rate-store.ts'
import { newestFailures, reportedPoints, runningSeries, settledSeries } from '../../../src/record/read/activity.ts'
import { observationsSince, plannedRun, recordedRuns, runNamed } from '../../../src/record/read/observations.ts'
import { endedStandings, standing, standingReader } from '../../../src/record/read/standing.ts'
import { lastingNames, seedsInDefinition } from '../../../src/record/runs/offer.ts'
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
const questions: readonly ((journal: Journal, row: ExperimentRow, dir: string) => unknown)[] = [
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
    return journal.all<{ key: string }>('SELECT key FROM runs ORDER BY id').map(({ key }) => read(key))
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

it.each(columns)('where %s is damaged, every question is answered or refused by name', async column => {
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
      expect(error, text).toMatchObject({ code: 'unreadable_journal', message: expect.stringContaining(file) })
    }
    expect(refusals.length > 0, text).toBe(!(harmless[column] ?? []).includes(text))
  }
})

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

const firstName = (journal: Journal): string => journal.get<{ name: string }>('SELECT name FROM runs')?.name ?? ''

it('opening again what this process wrote makes no new journal where it is gone', () => {
  const file = join(folderWith({}), 'journal.db')
  Journal.open(file).close()
  const again = Journal.openAgain(file)
  expect(again.place()).toBe('in_place')
  again.close()
  rmSync(file)
  expect(() => Journal.openAgain(file)).toThrow(/there is no experiment here/)
  expect(existsSync(file)).toBe(false)
})
