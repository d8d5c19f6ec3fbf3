import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { appeared, linesOf } from '../support/files.ts'
import { processesOf } from '../support/processes.ts'
import { expectAddsUp } from '../support/summary.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

/** Waits as well, but does not hear SIGTERM; `deaf-<x>` says that it is so far. */
const deaf = waiting.replace('while', `trap '' TERM\ntouch "deaf-$1"\nwhile`)

/** A run of x = 1 is under way and waits; the others are still to come. */
async function underWay(limits = '{ jobs: 1 }', x = '[1, 2, 3]', program = waiting) {
  const cwd = folderWith({ 'waits.sh': program, 'experiment.yaml': waitingExperiment(x, limits) })
  const run = startAssay(['run', '--json'], { cwd })
  await run.said('attempt_started')
  return { ...run, ...steered(cwd) }
}

/** One of a single run that is finished. */
async function finished() {
  const cwd = folderWith({ 'waits.sh': waiting, 'experiment.yaml': waitingExperiment('[1]', '{ jobs: 1 }'), go: '' })
  const e = steered(cwd)
  expect((await e.again()).status).toBe(0)
  return e
}

function steered(cwd: string) {
  const dir = join(cwd, 'results/waits')
  return {
    cwd,
    dir,
    tell: async (...words: string[]) => {
      const [command = '', ...rest] = words
      const ended = await assay([command, dir, ...rest], { cwd })
      expect(ended).toMatchObject({ status: 0, stderr: '' })
      return ended.stdout
    },
    again: (...args: string[]) => assay(['run', '--json', ...args], { cwd }),
    touch: (name: string) => writeFileSync(join(cwd, name), ''),
    started: () => linesOf(join(cwd, 'started')),
  }
}

describe('assay set, while it is running', () => {
  it('jobs=3 starts two more at once', async () => {
    const e = await underWay()
    expect(await e.tell('set', 'jobs=3')).toMatchInlineSnapshot(`
      "set jobs=3: takes effect now, and in later calls that don't override it
      "
    `)
    const status = await e.tell('status')
    expect(status).toContain('limits set: jobs=3\n')
    expect(status).toContain(', 3 at a time')
    await e.said('attempt_started', 3)
    e.touch('go')
    const ended = await e.ended
    expect(ended.status).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ completed: 3, attempts: 3 })
  })

  it('timeout applies to runs that start later', async () => {
    const e = await underWay('{ jobs: 1, grace: 100ms }', '[1, 2]')
    await e.tell('set', 'timeout=150ms')
    e.touch('go-1')
    const ended = await e.ended
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, timed_out: 1 })
    e.touch('go')
    await e.tell('set', 'timeout=none')
    expect(summaryOf(await e.again())).toMatchObject({ completed: 2, attempts: 3 })
  })

  it('budget_usd applies at once', async () => {
    const e = await underWay('{ jobs: 1, run_budget_usd: 1 }')
    await e.tell('set', 'budget_usd=1')
    e.touch('go')
    const ended = await e.ended
    expect(ended.status).toBe(3)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, pending: 2 })
    expect(summaryOf(ended).stopped_by).toContain('the budget of $1.00 has no room for another run')
  })

  it('budget_usd without run_budget_usd is refused with advice', async () => {
    const e = await finished()
    const refused = await assay(['set', e.dir, 'budget_usd=5'], { cwd: e.dir })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toMatchInlineSnapshot(`
      "error: a budget needs a maximum cost per run, and a command target does not declare one
      Set both: budget_usd=5 run_budget_usd=0.50; 0 declares that runs are free.
      "
    `)
    const again = await assay(['run', e.dir, '--budget', '5'], { cwd: e.dir })
    expect(again.status).toBe(2)
    expect(again.stderr).toMatchInlineSnapshot(`
      "error: a budget needs a maximum cost per run, and a command target does not declare one
      add --run-budget 0.50; 0 declares that runs are free
      "
    `)
  })

  it('grace applies to runs that start later', async () => {
    const e = await underWay('{ jobs: 1, grace: 1h }', '[1, 2]', deaf)
    await e.tell('set', 'grace=20ms')
    e.touch('go-1')
    await appeared(join(e.cwd, 'deaf-2'))
    // With the hour that it was started with, this would not end.
    e.child.kill('SIGTERM')
    expect(summaryOf(await e.ended)).toMatchObject({ completed: 1, cancelled: 1 })
    expect(processesOf(e.dir)).toEqual([])
  })

  it('stays set for later calls, until one overrides it', async () => {
    const e = await finished()
    await e.tell('set', 'jobs=7')
    expect((await e.again()).stdout).toContain('"jobs":7')
    expect((await e.again('-j', '3')).stdout).toContain('"jobs":3')
    expect((await e.again()).stdout).toContain('"jobs":1')
  })
})

describe('assay pause, resume and stop, from another process', () => {
  it('pause lets the running run finish and starts no other until resume', async () => {
    const e = await underWay()
    expect(await e.tell('pause')).toContain(`told: run (process ${e.child.pid})`)
    await e.said('paused: running runs finish, no new ones start')
    e.touch('go')
    await e.said('attempt_ended')
    expect(summaryOf(await assay(['status', e.dir, '--json'], { cwd: e.dir }))).toMatchObject({
      completed: 1,
      pending: 2,
    })
    await e.tell('resume')
    const ended = await e.ended
    expect(ended.status).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ completed: 3 })
  })

  it('pause during the last runs does not keep assay from ending', async () => {
    const e = await underWay('{ jobs: 1 }', '[1]')
    await e.tell('pause')
    await e.said('paused: running runs finish, no new ones start')
    e.touch('go')
    const ended = await e.ended
    expect(ended.status).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, stopped_by: null })
  })

  it('pause of a finished experiment does not block the next run', async () => {
    const e = await finished()
    await e.tell('pause')
    const worker = await assay(['worker', e.dir, '--json'], e)
    expect(worker.status).toBe(0)
    expect(summaryOf(worker)).toMatchObject({ completed: 1, attempts: 1 })
    expect((await e.again()).status).toBe(0)
  })

  it('stop lets the running run finish and ends; the same command continues', async () => {
    const e = await underWay()
    await e.tell('stop')
    await e.said('"kind":"draining"')
    e.touch('go')
    const ended = await e.ended
    expect(ended.status).toBe(3)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, pending: 2, stopped_by: 'stopped with `assay stop`' })
    expectAddsUp(summaryOf(ended))
    expect(summaryOf(await e.again())).toMatchObject({ completed: 3, reused: 1 })
  })

  it('stop --now cancels the running run; the same command runs it again', async () => {
    const e = await underWay()
    await e.tell('stop', '--now')
    const ended = await e.ended
    expect(ended.status).toBe(3)
    expect(summaryOf(ended)).toMatchObject({ completed: 0, cancelled: 1, pending: 2 })
    expectAddsUp(summaryOf(ended))
    expect(processesOf(e.dir)).toEqual([])
    e.touch('go')
    expect(summaryOf(await e.again())).toMatchObject({ completed: 3, attempts: 4 })
  })

  it('ends a run that is paused', async () => {
    const e = await underWay()
    await e.tell('pause')
    e.touch('go')
    await e.said('attempt_ended')
    await e.tell('stop')
    expect((await e.ended).status).toBe(3)
  })

  it('reports that no process is running it', async () => {
    const e = await finished()
    expect(await e.tell('pause')).toContain('no process is running it now')
    expect(summaryOf(await e.again())).toMatchObject({ completed: 1, reused: 1 })
  })
})

it('an empty journal has no limits to set', async () => {
  const cwd = folderWith({
    'waits.sh': waiting,
    'experiment.yaml': waitingExperiment('[1]', '{ jobs: 1 }'),
    'go-1': '',
  })
  await assay(['run', '-q'], { cwd })
  const dir = join(cwd, 'results/waits')
  const database = new DatabaseSync(join(dir, 'journal.db'))
  database.exec('DELETE FROM experiment')
  database.close()
  const refused = await assay(['set', dir, 'jobs=3'], { cwd })
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('the journal has no experiment yet') })
})
