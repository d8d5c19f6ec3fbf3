import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

it('a journal that another program holds is waited for, and nothing is lost; other commands say who is in the way', async () => {
  const cwd = folderWith({ 'waits.sh': waiting, 'experiment.yaml': waitingExperiment('[1, 2, 3]', '{ jobs: 2 }') })
  const run = startAssay(['run', '--json'], { cwd })
  await run.said('attempt_started', 2)
  const shell = new DatabaseSync(join(cwd, 'results/waits/journal.db'), { timeout: 20_000 })
  shell.exec('BEGIN IMMEDIATE')
  writeFileSync(join(cwd, 'go'), '')
  await run.said('another program holds the journal')
  const set = await assay(['set', 'results/waits', 'jobs=1'], { cwd })
  expect(set.status).toBe(2)
  expect(complaint(set, { cwd })).toMatch(/another program holds the journal .*\nIs it open in a program/)
  shell.exec('COMMIT')
  shell.close()
  const ended = await run.ended
  expect(ended.status).toBe(0)
  expect(summaryOf(ended)).toMatchObject({ completed: 3, attempts: 3 })
})
