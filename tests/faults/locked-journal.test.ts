import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { hasLines } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { needs } from '../support/needs.ts'
import { processesOf } from '../support/processes.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

it('waits for a journal locked by another program without losing anything; other commands name the program', async () => {
  const cwd = folderWith({ 'waits.sh': waiting, 'experiment.yaml': waitingExperiment('[1, 2, 3]', '{ jobs: 2 }') })
  const run = startAssay(['run', '--json'], { cwd })
  await run.said('attempt_started', 2)
  const shell = new DatabaseSync(join(cwd, 'results/waits/journal.db'), { timeout: 20_000 })
  shell.exec('BEGIN IMMEDIATE')
  writeFileSync(join(cwd, 'go'), '')
  await run.said('another program has locked the journal')
  const set = await assay(['set', 'results/waits', 'jobs=1'], { cwd })
  expect(set.status).toBe(2)
  expect(complaint(set, { cwd })).toMatch(/another program has locked the journal .*\nIs it open in a program/)
  shell.exec('COMMIT')
  shell.close()
  const ended = await run.ended
  expect(ended.status).toBe(0)
  expect(summaryOf(ended)).toMatchObject({ completed: 3, attempts: 3 })
})

it('while the journal is locked, timeouts end programs and Ctrl-C works', async () => {
  const cwd = folderWith({
    'waits.sh': waiting,
    'experiment.yaml': waitingExperiment('[1, 2, 3]', '{ jobs: 2, timeout: 5s, grace: 100ms }'),
  })
  const dir = join(cwd, 'results/waits')
  const run = startAssay(['run', '--json'], { cwd })
  await run.said('attempt_started', 2)
  const shell = new DatabaseSync(join(dir, 'journal.db'), { timeout: 20_000 })
  shell.exec('BEGIN IMMEDIATE')
  await hasLines(join(cwd, 'started'), 2)
  await expect.poll(() => processesOf(dir)).toEqual([])
  run.child.kill('SIGINT')
  await run.said('"kind":"draining"')
  shell.exec('COMMIT')
  shell.close()
  const ended = await run.ended
  expect(ended.status).toBe(130)
  expect(summaryOf(ended)).toMatchObject({ timed_out: 2, pending: 1 })
})

it('a journal locked at the end or the beginning does not change the result', async () => {
  needs(existsSync('/usr/bin/setsid'), 'there is no setsid here')
  const lock = `
import { DatabaseSync } from 'node:sqlite'
import { writeFileSync } from 'node:fs'
const shell = new DatabaseSync(process.argv[2], { timeout: 20_000 })
shell.exec('BEGIN IMMEDIATE')
writeFileSync(process.argv[3], '')
setTimeout(() => shell.exec('COMMIT'), 7000)
`
  const cwd = folderWith({
    'lock.mjs': lock,
    'experiment.yaml': `
name: e
target: { kind: command, command: ["true"] }
seeds: 1..3
hooks:
  cleanup: "setsid ${process.execPath} lock.mjs results/e/journal.db held > /dev/null 2>&1 & while [ ! -e held ]; do sleep 0.05; done"
`,
  })
  const ended = await assay(['run', '--json'], { cwd })
  expect(existsSync(join(cwd, 'held'))).toBe(true)
  expect(ended.status).toBe(0)
  expect(summaryOf(ended)).toMatchObject({ kind: 'summary', completed: 3 })
  expect(journalRows(join(cwd, 'results/e'), 'SELECT id FROM provenance')).toHaveLength(1)
})
