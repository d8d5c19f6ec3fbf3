import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { backToVersion2, changeJournal, journalRows } from '../../support/journal.ts'

const definition = 'name: e\ntarget: { kind: command, command: ["true"] }\nseeds: 1..3\n'

const idIn = (dir: string): unknown => journalRows(dir, 'SELECT short_id FROM experiment')[0]?.short_id

it('every experiment gets a short id, and keeps it', async () => {
  const cwd = folderWith({ 'e.yaml': definition })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q'], { cwd })
  const id = idIn(dir)
  expect(id).toMatch(/^[0-9a-f]{8}$/)
  await assay(['run', 'e.yaml', '-q', '--seeds', '1..5', '--set', 'limits.timeout=1m'], { cwd })
  expect(idIn(dir)).toBe(id)
})

it('a journal from before ids gets one when opened, and loses nothing', async () => {
  const cwd = folderWith({ 'e.yaml': definition })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q'], { cwd })
  changeJournal(dir, `${backToVersion2} ALTER TABLE experiment DROP COLUMN short_id; PRAGMA user_version = 1`)
  const status = await assay(['status', dir, '--json'], { cwd })
  expect(summaryOf(status), status.stderr).toMatchObject({ planned: 3, completed: 3 })
  const id = idIn(dir)
  expect(id).toMatch(/^[0-9a-f]{8}$/)
  await assay(['status', dir], { cwd })
  expect(idIn(dir)).toBe(id)
})
