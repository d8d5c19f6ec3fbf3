import { existsSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listProcesses } from '../../src/process/processes.ts'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { needsProc } from '../support/needs.ts'
import { processesOf } from '../support/processes.ts'
import { expectAddsUp } from '../support/summary.ts'

/** Ignores SIGTERM, like its child and its grandchild, which is in its own session. */
const stubborn = `#!/bin/sh
trap '' TERM
setsid sh -c 'trap "" TERM; while :; do sleep 1; done' &
( trap '' TERM; while :; do sleep 1; done ) &
while :; do sleep 1; done
`

it('a command that forks grandchildren and ignores SIGTERM is gone after its timeout, with all its processes', async () => {
  const cwd = folderWith({
    'stubborn.sh': stubborn,
    'experiment.yaml': `
name: stubborn
target: { kind: command, command: [./stubborn.sh] }
limits: { timeout: 1s, grace: 100ms }
`,
  })
  const ended = await assay(['run', '--json'], { cwd })

  expect(ended.status).toBe(1)
  expect(summaryOf(ended)).toMatchObject({ planned: 1, timed_out: 1, attempts: 1 })
  expectAddsUp(summaryOf(ended))
  expect(processesOf(join(cwd, 'results', 'stubborn'))).toEqual([])

  const again = await assay(['run'], { cwd })
  expect(again.status).toBe(1)
  expect(again.stdout).toContain('timed_out  ended after its timeout of 1 s')
  expect(complaint(again, { cwd })).toBe('')
})

it('Ctrl-C while orphans are being ended waits until they are gone', async () => {
  const cwd = folderWith({
    'stubborn.sh': stubborn,
    'experiment.yaml': `
name: stubborn
target: { kind: command, command: [./stubborn.sh] }
limits: { grace: 5s }
`,
  })
  const dir = join(cwd, 'results', 'stubborn')
  const killed = startAssay(['run', '--json'], { cwd })
  await killed.said('attempt_started')
  await expect.poll(() => processesOf(dir).length).toBeGreaterThanOrEqual(3)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect((await assay(['status', 'results/stubborn'], { cwd })).stdout).toMatch(
    /1 run: 1 cut off\n.*no process is running it/s,
  )
  expect(summaryOf(await assay(['status', 'results/stubborn', '--json'], { cwd }))).toMatchObject({ cut_off: 1 })
  const why = await assay(['why', 'results/stubborn', 'run'], { cwd })
  expect(why.stdout).toContain('attempt 1 was interrupted when its process ended')
  expect(why.stdout).toMatch(/attempt 1, .*: cut off$/m)
  const next = startAssay(['run'], { cwd })
  const workers = 'SELECT count(*) AS n FROM workers'
  await expect.poll(() => journalRows(dir, workers)).toEqual([{ n: 2 }])
  next.child.kill('SIGINT')
  const ended = await next.ended
  expect(ended.status).toBe(130)
  expect(complaint(ended, { cwd })).toContain('interrupted while what an earlier call had left running was ended')
  expect(processesOf(dir)).toEqual([])
})

describe('a program that exits and leaves a daemon behind', () => {
  async function left(script: string, more = '', jobs = 1) {
    needsProc()
    const cwd = folderWith({
      'program.sh': `#!/bin/sh\n${script}\n`,
      'experiment.yaml': `
name: e
target: { kind: command, command: [./program.sh]${more} }
seeds: 1..4
limits: { jobs: ${jobs} }
`,
    })
    const going = startAssay(['run', '--json'], { cwd })
    expect(summaryOf(await going.ended)).toMatchObject({ completed: 4, attempts: 4 })
    const isOfTest = ({ pid }: { readonly pid: number }) => linkOf(`/proc/${pid}/cwd`) === cwd
    return listProcesses().filter(entry => !entry.zombie && isOfTest(entry))
  }

  it.each([
    ['in a session of its own', 'setsid sleep 1000 & sleep 0.1', 1],
    ['at once', 'setsid sleep 1000 &', 1],
    ['the same beside other runs', 'setsid sleep 1000 & sleep 0.3', 4],
    ['by a double fork', '( setsid sleep 1000 & )', 1],
    ['without an environment', '( env -i setsid sleep 1000 & ) ; sleep 0.3', 1],
    ['without an environment, at once', '( env -i setsid sleep 1000 & )', 1],
    [
      'without an environment, as soon as it has its session',
      `( env -i setsid sh -c ': > "$0"; exec sleep 1000' "$ASSAY_RUN_DIR/up" & ); until [ -e "$ASSAY_RUN_DIR/up" ]; do :; done`,
      1,
    ],
    ['without an environment, beside other runs', '( env -i setsid sleep 1000 & ) ; sleep 0.3', 4],
  ])('%s: it is ended too', async (_, script, jobs) => {
    expect(await left(script, '', jobs)).toEqual([])
  })

  it('with daemons: keep, it continues', async () => {
    const daemons = await left('setsid sleep 1000 & sleep 0.3', ', daemons: keep')
    expect(daemons).toHaveLength(4)
    for (const { pid } of daemons) process.kill(pid, 'SIGKILL')
  })
})

it('processes left by runs that end by themselves do not stay as zombies', async () => {
  needsProc()
  const cwd = folderWith({
    'program.sh': `#!/bin/sh
for n in $(seq 100); do ( true & ); done
touch left
until [ -e go ]; do sleep 0.05; done
`,
    'experiment.yaml': 'name: e\ntarget: { kind: command, command: [./program.sh] }\n',
  })
  const { child, ended } = startAssay(['run', '--json'], { cwd })
  await expect.poll(() => existsSync(join(cwd, 'left'))).toBe(true)
  await expect.poll(() => listProcesses().filter(({ parent, zombie }) => parent === child.pid && zombie)).toEqual([])
  writeFileSync(join(cwd, 'go'), '')
  expect(summaryOf(await ended)).toMatchObject({ completed: 1 })
})

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
