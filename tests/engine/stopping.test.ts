import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, eventsOf, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { hasLines, jsonOf, linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { processesOf } from '../support/processes.ts'
import { expectAddsUp } from '../support/summary.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

/** Runs that wait for a file; the one with x = 0 fails when `fail` is there. */
const program = waiting.replace('while', '[ "$1" = 0 ] && { while [ ! -e fail ]; do sleep 0.1; done; exit 7; }\nwhile')

function experiment(x: string, limits = '{ jobs: 2 }') {
  const cwd = folderWith({ 'waits.sh': program, 'experiment.yaml': waitingExperiment(x, limits) })
  return {
    cwd,
    dir: join(cwd, 'results/waits'),
    touch: (name: string) => writeFileSync(join(cwd, name), ''),
    run: (...args: string[]) => assay(['run', '--json', ...args], { cwd }),
    start: (...args: string[]) => startAssay(['run', '--json', ...args], { cwd }),
    started: () => linesOf(join(cwd, 'started')),
    finished: () => linesOf(join(cwd, 'finished')),
  }
}

/** When the first attempt started. */
const startedAt = (dir: string): number =>
  journalRows<{ started_at: number }>(dir, 'SELECT started_at FROM attempts')[0]?.started_at ?? 0

describe('--fail-fast', () => {
  it('ends what is running at the first failure; the same command runs it again', async () => {
    const e = experiment('[0, 1, 2]')
    const first = e.start('--fail-fast')
    // The event of a started attempt comes before its program can report it.
    await hasLines(join(e.cwd, 'started'), 2)
    e.touch('fail')
    const ended = await first.ended
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ planned: 3, failed: 1, cancelled: 1, pending: 1, running: 0 })
    expect(summaryOf(ended).stopped_by).toMatch(/^x-0__\w+ failed \(--fail-fast\)$/)
    expectAddsUp(summaryOf(ended))
    expect(processesOf(e.dir)).toEqual([])
    expect(e.started().sort()).toEqual(['0', '1'])

    e.touch('go')
    const again = await e.run('--fail-fast')
    expect(again.status).toBe(1)
    expect(summaryOf(again)).toMatchObject({ completed: 2, failed: 1, cancelled: 0 })
    expect(e.finished().sort()).toEqual(['1', '2'])
  })
})

describe('--halt', () => {
  const failing = (fails: string, limits = '{ jobs: 1 }') =>
    folderWith({
      'e.yaml': `
name: e
target: { kind: command, command: [sh, -c, 'case {x} in ${fails}) exit 7;; esac'] }
factors: { x: [1, 2, 3, 4, 5, 6, 7, 8] }
order: listed
limits: ${limits}
`,
    })
  const run = (cwd: string, ...args: string[]) => assay(['run', 'e.yaml', '--json', ...args], { cwd })

  it('fail=2 starts nothing more after the second failure', async () => {
    const ended = await run(failing('1|3|5'), '--halt', 'fail=2')
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, failed: 2, pending: 5 })
    expect(summaryOf(ended).stopped_by).toBe('2 runs failed (--halt fail=2)')
    expectAddsUp(summaryOf(ended))
  })

  it('fail=50% applies from a few failures on', async () => {
    const ended = await run(failing('1|2|3|4'), '--halt', 'fail=50%')
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ failed: 3, completed: 0, pending: 5 })
    expect(summaryOf(ended).stopped_by).toBe('3 of 3 runs failed, 100% (--halt fail=50%)')
    expect(summaryOf(await run(failing('1|2'), '--halt', 'fail=50%'))).toMatchObject({ failed: 2, completed: 6 })
  })

  it('lets running runs finish', async () => {
    const e = experiment('[0, 1, 2]')
    const first = e.start('--halt', 'fail=1')
    await first.said('attempt_started', 2)
    e.touch('fail')
    await first.said('"kind":"draining"')
    e.touch('go')
    expect(summaryOf(await first.ended)).toMatchObject({ failed: 1, completed: 1, pending: 1, cancelled: 0 })
  })

  it('--keep-going overrides the experiment', async () => {
    const cwd = failing('1|2|3', '{ jobs: 1, halt: 1 }')
    expect(summaryOf(await run(cwd))).toMatchObject({ failed: 1, pending: 7 })
    const going = await run(cwd, '--keep-going')
    expect(going.status).toBe(1)
    expect(summaryOf(going)).toMatchObject({ failed: 3, completed: 5, pending: 0 })
  })
})

describe('Ctrl-C', () => {
  it('once: running runs finish, no others start, exit 130; the same command continues', async () => {
    const e = experiment('[1, 2, 3]', '{ jobs: 1 }')
    const first = e.start()
    await first.said('attempt_started')
    first.child.kill('SIGINT')
    await first.said('"kind":"draining"')
    e.touch('go')
    const ended = await first.ended
    expect(ended.status).toBe(130)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, pending: 2, cancelled: 0, stopped_by: 'interrupted' })
    expectAddsUp(summaryOf(ended))
    expect(jsonOf(join(e.dir, 'summary.json'))).toMatchObject({ completed: 1, pending: 2 })

    const again = await e.run()
    expect(again.status).toBe(0)
    expect(summaryOf(again)).toMatchObject({ completed: 3, reused: 1, attempts: 3 })
  })

  it('twice: running runs are cancelled, and their processes are gone', async () => {
    const e = experiment('[1, 2, 3]')
    const first = e.start()
    await first.said('attempt_started', 2)
    first.child.kill('SIGINT')
    await first.said('"kind":"draining"')
    first.child.kill('SIGINT')
    const ended = await first.ended
    expect(ended.status).toBe(130)
    expect(summaryOf(ended)).toMatchObject({ completed: 0, cancelled: 2, pending: 1 })
    expect(eventsOf(ended).filter(({ kind }) => kind === 'draining')).toEqual([
      { kind: 'draining', reason: 'interrupted' },
      { kind: 'draining', reason: 'interrupted', cancels: true },
    ])
    expectAddsUp(summaryOf(ended))
    expect(processesOf(e.dir)).toEqual([])

    e.touch('go')
    expect(summaryOf(await e.run())).toMatchObject({ completed: 3, attempts: 5 })
  })

  it('is no interruption if all remaining runs finish', async () => {
    const e = experiment('[1]')
    const first = e.start()
    await first.said('attempt_started')
    first.child.kill('SIGINT')
    await first.said('"kind":"draining"')
    e.touch('go')
    expect((await first.ended).status).toBe(0)
  })
})

it('SIGTERM cancels at once', async () => {
  const e = experiment('[1, 2]', '{ jobs: 1 }')
  const first = e.start()
  await first.said('attempt_started')
  first.child.kill('SIGTERM')
  const ended = await first.ended
  expect(ended.status).toBe(130)
  expect(summaryOf(ended)).toMatchObject({ cancelled: 1, pending: 1 })
  expect(processesOf(e.dir)).toEqual([])
})

it('SIGHUP is ignored without a terminal, as under nohup', async () => {
  const e = experiment('[1]')
  const first = e.start()
  await first.said('attempt_started')
  first.child.kill('SIGHUP')
  e.touch('go')
  const ended = await first.ended
  expect(ended.status).toBe(0)
  expect(summaryOf(ended)).toMatchObject({ completed: 1 })
})

describe('a timeout', () => {
  it('that passes while assay is stopped does not count for a program that ended in time', async () => {
    // Long enough for a busy machine to start and end the program within it.
    const e = experiment('[1]', '{ timeout: 8s }')
    const first = e.start()
    await first.said('attempt_started')
    await hasLines(join(e.cwd, 'started'), 1)
    first.child.kill('SIGSTOP')
    e.touch('go')
    await hasLines(join(e.cwd, 'finished'), 1)
    await expect.poll(() => Date.now() - startedAt(e.dir)).toBeGreaterThan(8500)
    first.child.kill('SIGCONT')
    expect(summaryOf(await first.ended)).toMatchObject({ completed: 1, timed_out: 0 })
  })

  it('ends a run, which stays timed out until the limit is raised', async () => {
    const e = experiment('[1]', '{ timeout: 200ms, grace: 100ms }')
    const cut = await e.run()
    expect(cut.status).toBe(1)
    expect(summaryOf(cut)).toMatchObject({ timed_out: 1, attempts: 1 })
    expectAddsUp(summaryOf(cut))
    const [end] = eventsOf(cut).filter(event => event.kind === 'attempt_ended')
    expect(end).toMatchObject({ outcome: { kind: 'timed_out', message: 'ended after its timeout of 0.2 s' } })

    e.touch('go')
    expect(summaryOf(await e.run())).toMatchObject({ timed_out: 1, attempts: 1 })
    const raised = await e.run('--timeout', '1h')
    expect(raised.status).toBe(0)
    expect(summaryOf(raised)).toMatchObject({ completed: 1, attempts: 2 })
  })

  it('is run again with --retry-failed, too', async () => {
    // The second attempt must end within it, also on a busy machine.
    const e = experiment('[1]', '{ timeout: 4s, grace: 100ms }')
    expect(summaryOf(await e.run())).toMatchObject({ timed_out: 1 })
    e.touch('go')
    expect(summaryOf(await e.run('--retry-failed'))).toMatchObject({ completed: 1, attempts: 2 })
  })
})
