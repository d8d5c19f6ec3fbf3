import { expect, test } from 'vitest'
import { endOrphans } from '../../src/process/end-orphans.ts'
import { fileWith, startProgram } from './support.ts'

test('orphans of several attempts are ended together', async () => {
  const programs = [startProgram('sleeps.sh'), startProgram('ignores-sigterm.sh')]
  for (const { stdoutFile } of programs) await fileWith(stdoutFile, 'ready')
  const ended = await endOrphans(
    programs.map(({ attempt }) => attempt),
    50,
  )
  expect(ended).toBeGreaterThanOrEqual(4)
  expect(await Promise.all(programs.map(({ exit }) => exit))).toMatchObject([
    { kind: 'signalled', signal: 'SIGTERM' },
    { kind: 'signalled', signal: 'SIGKILL' },
  ])
})

test('an attempt that was never recorded with a pid is found by its token', async () => {
  const started = startProgram('sleeps.sh')
  await fileWith(started.stdoutFile, 'ready')
  expect(await endOrphans([{ ...started.attempt, pid: null, startTime: null }], 1000)).toBe(1)
  await started.exit
})

test('a process that has the pid but is another one is left alone', async () => {
  const started = startProgram('sleeps.sh')
  await fileWith(started.stdoutFile, 'ready')
  const other = { token: 'of-an-earlier-attempt', pid: started.pid, startTime: '1', startedAt: Date.now() }
  expect(await endOrphans([other], 0)).toBe(0)
})

test('nothing of an attempt from before the last boot is looked for', async () => {
  const started = startProgram('sleeps.sh')
  await fileWith(started.stdoutFile, 'ready')
  expect(await endOrphans([{ ...started.attempt, startedAt: 0 }], 0)).toBe(0)
})
