import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

it('a second run on one directory names the first, and leaves it alone', async () => {
  const cwd = folderWith({ 'waits.sh': waiting, 'experiment.yaml': waitingExperiment('[1]', '{ jobs: 1 }') })
  const first = startAssay(['run', '--json'], { cwd })
  await first.said('attempt_started')

  const second = await assay(['run'], { cwd })
  expect(second.status).toBe(2)
  expect(complaint(second, { cwd })).toContain(`is working on this experiment: process ${first.child.pid} on `)
  expect(complaint(second, { cwd })).toContain('`assay worker <dir>`')

  writeFileSync(join(cwd, 'go'), '')
  const ended = await first.ended
  expect(ended.status).toBe(0)
  expect(summaryOf(ended)).toMatchObject({ completed: 1, attempts: 1 })
})
