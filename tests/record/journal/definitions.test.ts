import { join } from 'node:path'
import { expect, it } from 'vitest'
import { definitionVersion } from '../../../src/define/stored/stored-experiment.ts'
import {
  definitionOr,
  plannerStateOf,
  plannerStateText,
  readExperiment,
  writeDefinition,
} from '../../../src/record/journal/experiment-row.ts'
import { experimentWith } from '../../plan/experiment.ts'
import { assay, complaint, folderWith, summaryOf } from '../../support/assay.ts'
import { backToVersion2, backToVersion4, changeJournal, journalRows } from '../../support/journal.ts'
import { openJournal } from '../support.ts'

const definition = (seeds: string) => `name: e\ntarget: { kind: command, command: ["true"] }\nseeds: ${seeds}\n`

const definitionsIn = (dir: string) =>
  journalRows(dir, 'SELECT d.text, e.definition = d.id AS isPresent FROM definitions d, experiment e')

it('keeps only the current definition beside the frequently changed row', async () => {
  const cwd = folderWith({ 'e.yaml': definition('1..3'), 'more.yaml': definition('1..4') })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q'], { cwd })
  expect(definitionsIn(dir)).toMatchObject([{ isPresent: 1, text: expect.stringContaining('"levels":"1..3"') }])
  await assay(['run', 'more.yaml', '-q'], { cwd })
  expect(definitionsIn(dir)).toMatchObject([{ isPresent: 1, text: expect.stringContaining('"levels":"1..4"') }])
})

it('rereads a definition only if another process wrote it', () => {
  const { journal } = openJournal()
  const [own, others] = [experimentWith({ name: 'own' }), experimentWith({ name: 'others' })]
  const now = () => {
    const row = readExperiment(journal)
    return row && definitionOr(journal, row, own)
  }
  writeDefinition(journal, own, { hash: 'a', parts: {} }, 0)
  expect(now()).toBe(own)
  writeDefinition(journal, others, { hash: 'a', parts: {} }, 0)
  expect(now()).toMatchObject({ name: 'others' })
})

it('rereads a planner’s state only if another process wrote it', () => {
  const { journal } = openJournal()
  writeDefinition(journal, experimentWith({ name: 'own' }), { hash: 'a', parts: {} }, 0)
  const now = () => {
    const row = readExperiment(journal)
    return row && plannerStateOf(journal, row)
  }
  const write = (text: string) => journal.run('UPDATE experiment SET planner_state = ?', text)
  const own = { trials: [1, 2] }
  expect(now()).toBeNull()
  write(plannerStateText(journal, own))
  expect(now()).toBe(own)
  write('{"trials":[1,2,3]}')
  expect(now()).toEqual({ trials: [1, 2, 3] })
})

it('a journal of version 2 continues', async () => {
  const cwd = folderWith({ 'e.yaml': definition('1..3') })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q', '--first', '2'], { cwd })
  changeJournal(dir, backToVersion2)
  const again = await assay(['run', 'e.yaml', '--json'], { cwd })
  expect(summaryOf(again), again.stderr).toMatchObject({ planned: 3, completed: 3, reused: 2, attempts: 3 })
  expect(journalRows(dir, 'PRAGMA user_version')).toEqual([{ user_version: 9 }])
})

it('upgrades a definition without a version when reading it', async () => {
  const cwd = folderWith({ 'e.yaml': definition('1..3') })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q', '--first', '2'], { cwd })
  changeJournal(
    dir,
    `${backToVersion4} UPDATE definitions SET text = json_remove(text, '$.analysis', '$.limits.run_calls')`,
  )
  const seen = await assay(['status', dir, '--json'], { cwd })
  expect(seen.stderr).toBe('')
  expect(journalRows(dir, 'SELECT version FROM definitions')).toEqual([{ version: 1 }])
  const again = await assay(['run', 'e.yaml', '--json'], { cwd })
  expect(summaryOf(again), again.stderr).toMatchObject({ planned: 3, completed: 3, reused: 2, attempts: 3 })
  expect(journalRows(dir, 'SELECT version FROM definitions')).toEqual([{ version: definitionVersion }])
})

it.each([
  [`UPDATE definitions SET text = json_insert(text, '$.limits.run_gpu_s', 60)`, 'the definition in', 'collect'],
  [`UPDATE experiment SET limits_set = '{"run_gpu_s":60}'`, 'experiment.limits_set in', 'status'],
])('refuses a limit that only a newer version knows: %s', async (change, where, reader) => {
  const cwd = folderWith({ 'e.yaml': definition('1..3') })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q'], { cwd })
  changeJournal(dir, change)
  const kept = () => journalRows(dir, 'SELECT text, limits_set FROM definitions JOIN experiment')
  const before = kept()
  const message = `error: ${where} <cwd>/results/e/journal.db is of a newer assay (this one does not know the limit run_gpu_s)
Use the newer assay for it.`
  for (const args of [
    [reader, dir],
    ['run', 'e.yaml'],
    ['set', dir, 'jobs=2'],
  ]) {
    const refused = await assay(args, { cwd })
    expect(refused.status).toBe(2)
    expect(complaint(refused, { cwd })).toBe(message)
  }
  expect(kept()).toEqual(before)
})

it('refuses a newer version of a definition by name', async () => {
  const cwd = folderWith({ 'e.yaml': definition('1..3') })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q'], { cwd })
  changeJournal(dir, 'UPDATE definitions SET version = 99')
  const refused = await assay(['collect', dir], { cwd })
  expect(refused.status).toBe(2)
  const again = await assay(['run', 'e.yaml'], { cwd })
  expect(complaint(again, { cwd })).toBe(complaint(refused, { cwd }))
  expect(journalRows(dir, 'SELECT version FROM definitions')).toEqual([{ version: 99 }])
  expect(complaint(refused, { cwd })).toMatchInlineSnapshot(`
    "error: the definition in <cwd>/results/e/journal.db is of a newer assay (definition version 99, this one reads up to 4)
    Use the newer assay for it."
  `)
})
