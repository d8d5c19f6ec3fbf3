import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listProcesses, readEnvironment } from '../../src/process/processes.ts'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { appeared, linesOf } from '../support/files.ts'
import { needsProc } from '../support/needs.ts'
import { expectAddsUp } from '../support/summary.ts'
import { waiting } from '../support/waiting-program.ts'

function experiment(hooks: string, command: string) {
  const cwd = folderWith({
    'waits.sh': waiting,
    'experiment.yaml': `
name: e
target: { kind: command, command: ${command} }
hooks: ${hooks}
seeds: [1, 2]
limits: { jobs: 1 }
`,
  })
  return {
    cwd,
    touch: (name: string) => writeFileSync(join(cwd, name), ''),
    run: (...args: string[]) => assay(['run', '--json', ...args], { cwd }),
    log: () => linesOf(join(cwd, 'log')),
  }
}

/** Programs called sleep that hooks of this folder have started. */
const sleepersIn = (cwd: string) => {
  needsProc()
  return listProcesses().filter(
    ({ pid, zombie }) =>
      !zombie &&
      readEnvironment(pid).includes(`ASSAY_EXPERIMENT_DIR=${cwd}`) &&
      // The program's name is the first argument; one that has ended meanwhile has none.
      contentOf(`/proc/${pid}/cmdline`).startsWith('sleep\0'),
  )
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const both = '{ setup: "echo setup >> log", cleanup: [sh, -c, "echo cleanup >> log"] }'
const logging = '[sh, -c, "echo run >> log"]'

describe('hooks', () => {
  it('run once around all runs, in the folder of the experiment, and not without work', async () => {
    const e = experiment(both, logging)
    expect((await e.run()).status).toBe(0)
    expect(e.log()).toEqual(['setup', 'run', 'run', 'cleanup'])
    await e.run()
    expect(e.log()).toHaveLength(4)
  })

  it('also run around a search that ends with its target', async () => {
    const cwd = folderWith({
      'report.sh': `echo run >> log; echo '{"loss": 1}' >> "$ASSAY_METRICS_FILE"\n`,
      'experiment.yaml': `
name: e
target: { kind: command, command: [sh, report.sh] }
hooks: ${both}
factors: { x: { min: 0.1, max: 1 } }
metrics: { loss: { goal: minimize } }
search: { method: random, target: 1, max_runs: 3 }
limits: { jobs: 1 }
`,
    })
    expect((await assay(['run', '--json'], { cwd })).status).toBe(0)
    expect(linesOf(join(cwd, 'log'))).toEqual(['setup', 'run', 'cleanup'])
    await assay(['run', '--json'], { cwd })
    expect(linesOf(join(cwd, 'log'))).toHaveLength(3)
  })

  it('a failing setup: no runs, exit 1, and the reason', async () => {
    const e = experiment('{ setup: "echo no licence >&2; exit 4" }', logging)
    const ended = await assay(['run'], e)
    expect(ended.status).toBe(1)
    expect(complaint(ended, e)).toMatchInlineSnapshot(`
      "error: the setup hook failed: exit code 4
      no licence
      Its output is in <cwd>/results/e/hooks."
    `)
    expect(e.log()).toEqual([])
    const status = summaryOf(await assay(['status', '--json'], e))
    expect(status).toMatchObject({ planned: 2, pending: 2, attempts: 0 })
    expectAddsUp(status)
  })

  it('cleanup runs after failures too', async () => {
    const e = experiment(both, '["false"]')
    expect((await e.run()).status).toBe(1)
    expect(e.log()).toEqual(['setup', 'cleanup'])
  })

  it('cleanup runs after Ctrl-C too', async () => {
    const e = experiment(both, '[./waits.sh, "1"]')
    const run = startAssay(['run', '--json'], e)
    await run.said('attempt_started')
    run.child.kill('SIGINT')
    await run.said('"kind":"draining"')
    run.child.kill('SIGINT')
    expect((await run.ended).status).toBe(130)
    expect(e.log()).toEqual(['setup', 'cleanup'])
  })

  it('cleanup runs after a failing setup too', async () => {
    const e = experiment('{ setup: "echo setup >> log; exit 4", cleanup: "echo cleanup >> log" }', logging)
    const ended = await assay(['run'], e)
    expect(ended.status).toBe(1)
    expect(complaint(ended, e)).toContain('error: the setup hook failed: exit code 4')
    expect(e.log()).toEqual(['setup', 'cleanup'])
  })

  it('the second Ctrl-C ends a slow cleanup', async () => {
    const e = experiment('{ cleanup: "touch cleaning; exec sleep 1000000" }', '[./waits.sh, "1"]')
    const run = startAssay(['run', '--json'], e)
    await run.said('attempt_started')
    run.child.kill('SIGINT')
    await run.said('"kind":"draining"')
    e.touch('go')
    await appeared(join(e.cwd, 'cleaning'))
    run.child.kill('SIGINT')
    expect((await run.ended).status).toBe(130)
  })

  it('Ctrl-C ends a setup once, however often it is pressed', async () => {
    const counts = `#!/bin/bash
trap 'echo told >> log' TERM
touch waiting
while [ ! -e go ]; do sleep 0.1; done
`
    const e = experiment('{ setup: ./counts.sh }', logging)
    writeFileSync(join(e.cwd, 'counts.sh'), counts, { mode: 0o755 })
    const run = startAssay(['run', '--json'], e)
    await appeared(join(e.cwd, 'waiting'))
    run.child.kill('SIGINT')
    await appeared(join(e.cwd, 'log'))
    run.child.kill('SIGINT')
    e.touch('go')
    expect((await run.ended).status).toBe(130)
    expect(e.log()).toEqual(['told'])
  })

  it('ends a setup hook orphaned by a killed run before starting the next', async () => {
    const e = experiment('{ setup: "echo begins >> log; [ -e go ] || { touch waiting; sleep 1000000; }" }', logging)
    const killed = startAssay(['run', '--json'], e)
    await appeared(join(e.cwd, 'waiting'))
    killed.child.kill('SIGKILL')
    await killed.ended
    await expect.poll(() => sleepersIn(e.cwd)).toHaveLength(1)
    e.touch('go')
    expect((await e.run()).status).toBe(0)
    expect(e.log()).toEqual(['begins', 'begins', 'run', 'run'])
    expect(sleepersIn(e.cwd)).toEqual([])
  })

  it('a failing cleanup is reported, and the runs are kept', async () => {
    const e = experiment('{ cleanup: "exit 5" }', logging)
    const ended = await assay(['run'], e)
    expect(ended.status).toBe(1)
    expect(complaint(ended, e)).toContain('error: the cleanup hook failed: exit code 5')
    expect(summaryOf(await assay(['status', '--json'], e))).toMatchObject({ completed: 2 })
  })
})
