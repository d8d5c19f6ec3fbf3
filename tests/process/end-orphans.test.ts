import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endOrphans } from '../../src/process/end.ts'
import { spawnGroup } from '../../src/process/spawn/spawn-group.ts'
import { appeared } from '../support/files.ts'
import { needsProc } from '../support/needs.ts'
import { fileWith, startProgram, temporaryDirectory } from './support.ts'

test('orphans of several attempts are ended together', async () => {
  const programs = [startProgram('sleeps.sh'), startProgram('ignores-sigterm.sh')]
  for (const { stdoutFile } of programs) await fileWith(stdoutFile, 'ready')
  const ended = await endOrphans(
    programs.map(({ attempt }) => attempt),
    // Enough time for the obedient one to end by itself, even on a busy machine.
    2000,
  )
  expect(ended).toBeGreaterThanOrEqual(4)
  expect(await Promise.all(programs.map(({ exit }) => exit))).toMatchObject([
    { kind: 'signalled', signal: 'SIGTERM' },
    { kind: 'signalled', signal: 'SIGKILL' },
  ])
})

test('an attempt that was never recorded with a pid is found by its token', async () => {
  needsProc()
  const started = startProgram('sleeps.sh')
  await fileWith(started.stdoutFile, 'ready')
  expect(await endOrphans([{ ...started.attempt, pid: null, startTime: null }], 1000)).toBe(1)
  await started.exit
})

test('spares another process with the same pid', async () => {
  const started = startProgram('sleeps.sh')
  await fileWith(started.stdoutFile, 'ready')
  const other = { token: 'of-an-earlier-attempt', pid: started.pid, startTime: '1' }
  expect(await endOrphans([other], 0)).toBe(0)
})

test('spares a leaderless group older than the attempt', async () => {
  needsProc()
  const started = startProgram('leaves-background.sh')
  await started.exit
  const later = String(Number(started.attempt.startTime) + 1000)
  expect(await endOrphans([{ token: 'another', pid: started.pid, startTime: later }], 0)).toBe(0)
  expect(await endOrphans([{ token: 'another', pid: started.pid, startTime: started.attempt.startTime }], 0)).toBe(1)
})

test('finds a process just being started', async () => {
  needsProc()
  const dir = temporaryDirectory()
  const token = randomUUID()
  // A moment long it is there without its token, as between fork and exec.
  const script =
    'while [ ! -e go ]; do sleep 0.01; done; exec env ASSAY_ATTEMPT=$0 sh -c "touch begun; exec sleep 1000000"'
  const { exit } = spawnGroup({
    argv: ['/bin/sh', '-c', script, token],
    cwd: dir,
    env: { PATH: process.env.PATH },
    stdoutFile: join(dir, 'out'),
    stderrFile: join(dir, 'err'),
  })
  let looks = 0
  const ended = await endOrphans([{ token, pid: null, startTime: null }], 0, async () => {
    looks++
    writeFileSync(join(dir, 'go'), '')
    await appeared(join(dir, 'begun'))
  })
  expect(ended).toBe(1)
  expect(looks).toBeGreaterThan(0)
  expect(await exit).toMatchObject({ kind: 'signalled' })
})
