import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { fakeClock, fakeClockLibrary } from '../support/fake-clock.ts'
import { changeJournal, journalRows } from '../support/journal.ts'
import { processesOf } from '../support/processes.ts'

const sleeper = `
name: e
target: { kind: command, command: [./run.sh] }
limits: { grace: 100ms }
`

it('ends an orphan before its run starts again, even if the clock was set back', async () => {
  const cwd = folderWith({ 'experiment.yaml': sleeper, 'run.sh': '#!/bin/sh\n[ -e second ] && exit 0\nsleep 1000\n' })
  const dir = join(cwd, 'results', 'e')
  const killed = startAssay(['run', '--json'], { cwd })
  await killed.said('attempt_started')
  await expect.poll(() => journalRows(dir, 'SELECT pid FROM attempts WHERE pid IS NOT NULL')).toHaveLength(1)
  killed.child.kill('SIGKILL')
  await killed.ended
  // As if the clock had been years behind when it was started, and was set right since.
  changeJournal(dir, 'UPDATE attempts SET started_at = 1000; UPDATE workers SET joined_at = 1000, heartbeat_at = 1000')
  expect(processesOf(dir).length).toBeGreaterThan(0)
  writeFileSync(join(cwd, 'second'), '')
  const again = await startAssay(['run', '--json'], { cwd }).ended
  expect(summaryOf(again)).toMatchObject({ completed: 1, attempts: 2 })
  expect(processesOf(dir)).toEqual([])
})

it('setting the clock an hour back delays no retry, and no duration is negative', async ({ skip }) => {
  if (fakeClockLibrary === undefined) return skip('libfaketime is not installed')
  const cwd = folderWith({
    'experiment.yaml': `
name: e
target: { kind: command, command: [./run.sh] }
limits: { retries: { failed: 1, backoff: 2s } }
`,
    // Fails once; meanwhile the clock goes back.
    'run.sh': '#!/bin/sh\n[ -e failed ] && exit 0\ntouch failed\necho "-1h" > step; mv step offset\nexit 1\n',
    offset: '+0',
  })
  const env = { LD_PRELOAD: fakeClockLibrary, ...fakeClock(join(cwd, 'offset')) }
  const going = startAssay(['run', '--json'], { cwd, env })
  await going.said('"kind":"attempt_ended"')
  // And again, while it waits.
  writeFileSync(join(cwd, 'step'), '-2h\n')
  renameSync(join(cwd, 'step'), join(cwd, 'offset'))
  const ended = await going.ended
  expect(summaryOf(ended)).toMatchObject({ completed: 1, attempts: 2 })
  const { wall_s } = summaryOf(ended) as { readonly wall_s: number }
  expect(wall_s).toBeGreaterThan(0)
  const dir = join(cwd, 'results', 'e')
  const [taken] = journalRows<{ least: number; back: number }>(
    dir,
    'SELECT min(wall_s) AS least, max(started_at) - min(started_at) AS back FROM attempts',
  )
  expect(taken?.least).toBeGreaterThan(0)
  // The clock did go back twice between the two.
  expect(taken?.back).toBeGreaterThan(6_000_000)
})
