import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, eventsOf, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'
import { changeJournal, journalRows } from '../support/journal.ts'
import { expectAddsUp } from '../support/summary.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

/** A `run` whose first run is under way. */
async function underWay(x: string, limits = '{ jobs: 1 }') {
  const cwd = folderWith({ 'waits.sh': waiting, 'experiment.yaml': waitingExperiment(x, limits) })
  const dir = join(cwd, 'results/waits')
  const run = startAssay(['run', '--json'], { cwd })
  await run.said('attempt_started')
  return {
    cwd,
    dir,
    run,
    worker: (...args: string[]) => startAssay(['worker', dir, '--json', ...args], { cwd }),
    touch: (name: string, text = '') => writeFileSync(join(cwd, name), text),
    finished: () => linesOf(join(cwd, 'finished')).sort(),
  }
}

describe('workers beside a run', () => {
  it('share the runs: each is executed once, and all notice the end', async () => {
    const e = await underWay('[1, 2, 3, 4, 5, 6, 7, 8, 9]')
    const [one, two] = [e.worker('-j', '1'), e.worker('-j', '2')]
    await one.said('attempt_started')
    await two.said('attempt_started', 2)
    e.touch('go')
    const ends = await Promise.all([e.run.ended, one.ended, two.ended])
    for (const ended of ends) {
      expect(ended.status).toBe(0)
      expect(summaryOf(ended)).toMatchObject({ planned: 9, completed: 9, running: 0, attempts: 9 })
      expectAddsUp(summaryOf(ended))
    }
    expect(e.finished()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    const workers = journalRows<{ n: number }>(e.dir, 'SELECT count(DISTINCT worker_id) AS n FROM attempts')
    expect(workers).toEqual([{ n: 3 }])
  })

  it('--count executes that many attempts and exits with 0', async () => {
    const e = await underWay('[1, 2, 3, 4]')
    const worker = e.worker('-j', '2', '--count', '2')
    await worker.said('attempt_started', 2)
    e.touch('go-2')
    e.touch('go-3')
    const left = await worker.ended
    expect(left.status).toBe(0)
    expect(summaryOf(left)).toMatchObject({ completed: 2, running: 1, pending: 1, exit_code: 0 })
    expectAddsUp(summaryOf(left))
    e.touch('go')
    expect(summaryOf(await e.run.ended)).toMatchObject({ completed: 4, attempts: 4 })
  })

  it('--count that is interrupted exits with 130, like everyone else', async () => {
    const e = await underWay('[1, 2, 3]')
    const worker = e.worker('--count', '1')
    await worker.said('attempt_started')
    worker.child.kill('SIGINT')
    await worker.said('"kind":"draining"')
    worker.child.kill('SIGINT')
    expect((await worker.ended).status).toBe(130)
    e.touch('go')
    expect(summaryOf(await e.run.ended)).toMatchObject({ completed: 3, attempts: 4 })
  })

  it('that is ended gives its run back', async () => {
    const e = await underWay('[1, 2]')
    const worker = e.worker()
    await worker.said('attempt_started')
    worker.child.kill('SIGTERM')
    expect((await worker.ended).status).toBe(130)
    e.touch('go')
    expect(summaryOf(await e.run.ended)).toMatchObject({ completed: 2, cancelled: 0, attempts: 3 })
  })

  it('obeys `assay stop` as well', async () => {
    const e = await underWay('[1, 2, 3]')
    const worker = e.worker()
    await worker.said('attempt_started')
    await assay(['stop', e.dir], e)
    await Promise.all([worker.said('"kind":"draining"'), e.run.said('"kind":"draining"')])
    e.touch('go')
    for (const ended of await Promise.all([worker.ended, e.run.ended])) expect(ended.status).toBe(3)
    expect(e.finished()).toEqual(['1', '2'])
  })

  it('stops when the experiment gets another definition', async () => {
    const e = await underWay('[1, 2, 3]')
    const worker = e.worker()
    await worker.said('attempt_started')
    e.run.child.kill('SIGTERM')
    await e.run.ended
    e.touch('experiment.yaml', waitingExperiment('[1, 2, 3]', '{ jobs: 1 }').replace("'{x}'", "'{x}', more"))
    const other = assay(['run', '--json'], e)
    await worker.said('the definition of the experiment changed')
    e.touch('go')
    const left = await worker.ended
    expect(summaryOf(left)).toMatchObject({ stopped_by: 'the definition of the experiment changed' })
    await other
    const again = await assay(['run', '--json', '--stale', 'rerun'], e)
    expect(again.status).toBe(0)
    expect(summaryOf(again)).toMatchObject({ completed: 3, stale: 0 })
  })

  it.each(['metrics: { m: {} }', 'outputs: [{ path: out/a, required: false }]'])(
    'stops when the experiment gets other %s, for which it is not watching',
    async more => {
      const e = await underWay('[1, 2, 3]')
      const worker = e.worker()
      await worker.said('attempt_started')
      e.run.child.kill('SIGTERM')
      await e.run.ended
      e.touch('experiment.yaml', `${waitingExperiment('[1, 2, 3]', '{ jobs: 1 }')}${more}\n`)
      const other = assay(['run', '--json'], e)
      await worker.said('the definition of the experiment changed')
      e.touch('go')
      await worker.ended
      expect(summaryOf(await other)).toMatchObject({ completed: 3, stale: 0 })
    },
  )
})

it('a process taken for dead gives way: its late results do not count', async () => {
  const e = await underWay('[1, 2, 3]')
  // As if its machine had slept, far away: it gives no sign of life, and can't be looked at from here.
  e.run.child.kill('SIGSTOP')
  changeJournal(e.dir, `UPDATE workers SET host = 'elsewhere', boot_id = 'another', heartbeat_at = 0`)
  const worker = e.worker()
  await worker.said('1 was cut off and will run again')
  await worker.said('attempt_started')
  e.run.child.kill('SIGCONT')
  await e.run.said('a late result of x-1')
  await e.run.said('another process considered this one dead and took over its runs')
  const gone = await e.run.ended
  expect(eventsOf(gone).filter(event => event.kind === 'attempt_started')).toHaveLength(1)
  expect(summaryOf(gone)).toMatchObject({ completed: 0, running: 1, pending: 2, cancelled: 0 })

  e.touch('go')
  const ended = await worker.ended
  expect(ended.status).toBe(0)
  expect(summaryOf(ended)).toMatchObject({ completed: 3, attempts: 4 })
  expectAddsUp(summaryOf(ended))
  expect(e.finished()).toEqual(['1', '2', '3'])
  expect(journalRows(e.dir, 'SELECT number, outcome, superseded FROM attempts ORDER BY id')).toEqual([
    { number: 1, outcome: 'cancelled', superseded: 0 },
    { number: 1, outcome: 'completed', superseded: 0 },
    { number: 1, outcome: 'completed', superseded: 0 },
    { number: 2, outcome: 'completed', superseded: 0 },
  ])
})

it('a worker finishes an experiment by itself', async () => {
  const cwd = folderWith({ 'e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\nseeds: 1..6\n' })
  await assay(['run', 'e.yaml', '--halt', 'fail=1', '-q'], { cwd })
  const fresh = await assay(['worker', join(cwd, 'results/e'), '--json'], { cwd })
  expect(summaryOf(fresh)).toMatchObject({ completed: 6, attempts: 6 })
})

it('a worker without an experiment explains what to do first', async () => {
  const cwd = folderWith({ 'notes.txt': '' })
  const ended = await assay(['worker', 'results/e'], { cwd })
  expect(ended.status).toBe(2)
  expect(ended.stderr).toContain('is not an experiment directory')
})
