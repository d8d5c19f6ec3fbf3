import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { backToVersion2, changeJournal, journalRows } from '../../support/journal.ts'

const definition = (seeds: string) => `name: e\ntarget: { kind: command, command: ["true"] }\nseeds: ${seeds}\n`

const definitionsIn = (dir: string) =>
  journalRows(dir, 'SELECT d.text, e.definition = d.id AS isPresent FROM definitions d, experiment e')

it('keeps the present definition beside the row that changes with every run, and no other', async () => {
  const cwd = folderWith({ 'e.yaml': definition('1..3'), 'more.yaml': definition('1..4') })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q'], { cwd })
  expect(definitionsIn(dir)).toMatchObject([{ isPresent: 1, text: expect.stringContaining('[1,2,3]') }])
  await assay(['run', 'more.yaml', '-q'], { cwd })
  expect(definitionsIn(dir)).toMatchObject([{ isPresent: 1, text: expect.stringContaining('[1,2,3,4]') }])
})

it('a journal of version 2 goes on where it was', async () => {
  const cwd = folderWith({ 'e.yaml': definition('1..3') })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q', '--first', '2'], { cwd })
  changeJournal(dir, backToVersion2)
  const again = await assay(['run', 'e.yaml', '--json'], { cwd })
  expect(summaryOf(again), again.stderr).toMatchObject({ planned: 3, completed: 3, reused: 2, attempts: 3 })
  expect(journalRows(dir, 'PRAGMA user_version')).toEqual([{ user_version: 5 }])
})
