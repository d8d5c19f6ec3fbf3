import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { linesOf } from '../../support/files.ts'
import { waiting, waitingExperiment } from '../../support/waiting-program.ts'
import { type SweepFacts, tuning } from './tuning.ts'

/** A sweep of runs that wait for a file before they end. */
async function waitingSweep(x = '[1, 2, 3, 4, 5, 6]') {
  const cwd = folderWith({ 'waits.sh': waiting, 'waits.yaml': waitingExperiment(x, '{ jobs: 1 }') })
  const { id, dir }: SweepFacts = JSON.parse((await assay(['sweep', 'waits.yaml', '--json'], { cwd })).stdout)
  return {
    ...{ cwd, id, dir },
    worker: (...args: string[]) => startAssay(['worker', id, '--json', ...args], { cwd }),
    /** The runs of an undisturbed worker. */
    work: () => assay(['worker', id, '--json'], { cwd }),
    sweep: (...args: string[]) => assay(['sweep', ...args], { cwd }),
    touch: (name: string) => writeFileSync(join(cwd, name), ''),
    finished: () => linesOf(join(cwd, 'finished')).sort(),
  }
}

describe('a sweep without a running process', () => {
  it('is executed by workers, each run once', async () => {
    const s = await waitingSweep()
    const workers = [s.worker(), s.worker(), startAssay(['agent', `me/demo/${s.id}`, '--json'], s)]
    for (const worker of workers) await worker.said('attempt_started')
    s.touch('go')
    for (const { ended } of workers) {
      const end = await ended
      expect(end.status, end.stderr).toBe(0)
      expect(summaryOf(end)).toMatchObject({ planned: 6, completed: 6, attempts: 6 })
    }
    expect(s.finished()).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  it('gets a run back from a worker that is asked to end, and the next worker executes it', async () => {
    const s = await waitingSweep('[1, 2]')
    const first = s.worker()
    await first.said('attempt_started')
    first.child.kill('SIGTERM')
    const left = await first.ended
    expect(left.status).toBe(130)
    expect(summaryOf(left)).toMatchObject({ cancelled: 0, pending: 2 })
    s.touch('go')
    expect(summaryOf(await s.work())).toMatchObject({ completed: 2, attempts: 3 })
    expect(s.finished()).toEqual(['1', '2'])
  })

  it('reports that a run is given back', async () => {
    const s = await waitingSweep('[1, 2]')
    const worker = startAssay(['worker', s.id, '-vv'], s)
    await worker.said('[RUN]')
    worker.child.kill('SIGTERM')
    const { stderr } = await worker.ended
    expect(stderr).toMatch(/\[STOP\] x-1\S* cancelled: given back, for other workers or the next/)
    expect(stderr).not.toContain('[RETRY]')
  })

  it('gets a run back from a worker that was killed', async () => {
    const s = await waitingSweep('[1, 2]')
    const first = s.worker()
    await first.said('attempt_started')
    first.child.kill('SIGKILL')
    await first.ended
    s.touch('go')
    expect(summaryOf(await s.work())).toMatchObject({ completed: 2, attempts: 3 })
  })

  it('has interrupted runs executed by the next worker', async () => {
    const s = await waitingSweep('[1, 2]')
    const run = startAssay(['run', s.id, '--json'], s)
    await run.said('attempt_started')
    run.child.kill('SIGTERM')
    expect(summaryOf(await run.ended)).toMatchObject({ cancelled: 1, pending: 1 })
    s.touch('go')
    expect(summaryOf(await s.work())).toMatchObject({ completed: 2, cancelled: 0 })
  })

  it('has failed runs repeated by a worker with --retry-failed', async () => {
    const failing = `name: f
target: { kind: command, command: [test, -e, mended] }
seeds: 1..3
`
    const cwd = folderWith({ 'f.yaml': failing })
    const { id }: SweepFacts = JSON.parse((await assay(['sweep', 'f.yaml', '--json'], { cwd })).stdout)
    expect(summaryOf(await assay(['worker', id, '--json'], { cwd }))).toMatchObject({ failed: 3 })
    writeFileSync(join(cwd, 'mended'), '')
    expect(summaryOf(await assay(['worker', id, '--json'], { cwd }))).toMatchObject({ failed: 3, attempts: 3 })
    const again = await assay(['worker', id, '--json', '--retry-failed'], { cwd })
    expect(summaryOf(again)).toMatchObject({ completed: 3, attempts: 6 })
  })
})

describe('sweep', () => {
  it('pause stops new runs from starting, resume continues', async () => {
    const s = await waitingSweep('[1, 2]')
    const worker = s.worker()
    await worker.said('attempt_started')
    const paused = (await s.sweep('pause', s.id)).stdout
    expect(paused).toContain('told: worker (process')
    expect(paused).toContain(`until \`assay resume ${s.dir}\` or \`assay run\``)
    await worker.said('paused: running runs finish')
    s.touch('go')
    await worker.said('attempt_ended')
    const list = JSON.parse((await s.sweep('list', '--json')).stdout)
    expect(list.sweeps).toMatchObject([{ id: s.id, state: 'paused', workers: 1, done: 1, planned: 2 }])
    await s.sweep('resume', s.id)
    expect(summaryOf(await worker.ended)).toMatchObject({ completed: 2 })
  })

  it.each(['grid', 'random'])('of another format gets more values, and its workers execute them: %s', async method => {
    const file = (lr: string) =>
      `program: waits.sh\nmethod: ${method}\ncommand: [./waits.sh, '\${args_no_hyphens}']\nparameters: { lr: { values: ${lr} } }\n`
    const cwd = folderWith({ 'waits.sh': waiting, 'f.yaml': file('[0.1, 0.01]') })
    const { id }: SweepFacts = JSON.parse((await assay(['sweep', 'f.yaml', '--json'], { cwd })).stdout)
    const worker = startAssay(['worker', id, '--json', '-j', '1'], { cwd })
    await worker.said('attempt_started')
    writeFileSync(join(cwd, 'f.yaml'), file('[0.1, 0.01, 1e-3]'))
    expect((await assay(['sweep', 'f.yaml'], { cwd })).stdout).toContain(`changed the sweep ${id}`)
    writeFileSync(join(cwd, 'go'), '')
    const end = await worker.ended
    expect(end.status, end.stderr).toBe(0)
    expect(summaryOf(end)).toMatchObject({ completed: 3, stopped_by: null })
    // As it is written, which only the new definition knows.
    expect(linesOf(join(cwd, 'finished')).sort()).toEqual(['lr=0.01', 'lr=0.1', 'lr=1e-3'])
  })

  it('stop lets running ones finish, and workers stay away until resume', async () => {
    const s = await waitingSweep('[1, 2]')
    const worker = s.worker()
    await worker.said('attempt_started')
    await s.sweep('stop', s.id)
    await worker.said('"kind":"draining"')
    s.touch('go')
    const end = await worker.ended
    expect({ status: end.status, ...summaryOf(end) }).toMatchObject({ status: 3, completed: 1, pending: 1 })
    const kept = await assay(['worker', s.id], s)
    expect(kept.status).toBe(3)
    expect(kept.stdout).toContain(`\`assay resume ${s.dir}\` lets workers continue.`)
    expect(JSON.parse((await s.sweep('list', '--json')).stdout).sweeps).toMatchObject([{ state: 'stopped' }])
    await s.sweep('--resume', s.id)
    expect(summaryOf(await s.work())).toMatchObject({ completed: 2 })
  })

  it.each([
    ['cancel', ['cancel']],
    ['--cancel', ['--cancel']],
    ['stop --now', ['stop', '--now']],
  ])('%s also ends running runs, which run again after resume', async (_, words) => {
    const s = await waitingSweep('[1, 2]')
    const worker = s.worker()
    await worker.said('attempt_started')
    await s.sweep(...words, s.id)
    const end = await worker.ended
    expect({ status: end.status, ...summaryOf(end) }).toMatchObject({ status: 3, completed: 0, pending: 2 })
    await s.sweep('resume', s.id)
    s.touch('go')
    expect(summaryOf(await s.work())).toMatchObject({ completed: 2, attempts: 3 })
  })
})

describe('an id', () => {
  it('works in every command that accepts a directory', async () => {
    const cwd = folderWith(tuning)
    const { id, dir }: SweepFacts = JSON.parse((await assay(['sweep', 'tuning.yaml', '--json'], { cwd })).stdout)
    expect(summaryOf(await assay(['run', id, '--json'], { cwd }))).toMatchObject({ dir, completed: 24 })
    expect(summaryOf(await assay(['status', `demo/${id}`, '--json'], { cwd }))).toMatchObject({ dir, completed: 24 })
    expect((await assay(['collect', id], { cwd })).stdout).toContain('rows=24')
    expect((await assay(['compare', id, '--control', 'kind=a', '--candidate', 'kind=b'], { cwd })).stdout).toContain(
      'loss',
    )
  })

  it('that is unknown is reported with the existing ones, the nearest first', async () => {
    const cwd = folderWith(tuning)
    const { id }: SweepFacts = JSON.parse((await assay(['sweep', 'tuning.yaml', '--json'], { cwd })).stdout)
    const wrong = id.slice(0, 7) + (id.endsWith('0') ? '1' : '0')
    for (const command of ['worker', 'status', 'run']) {
      const ended = await assay([command, `me/demo/${wrong}`], { cwd })
      expect(ended.status).toBe(2)
      expect(complaint(ended, { cwd })).toBe(
        `error: no experiment below <cwd> has the id ${wrong}\ndid you mean ${id}?\nThere are:\n  ${id}  tuning\nTo search elsewhere: --out-root <folder>.`,
      )
    }
  })

  it('of a directory that was copied is ambiguous', async () => {
    const cwd = folderWith(tuning)
    const { id }: SweepFacts = JSON.parse((await assay(['sweep', 'tuning.yaml', '--json'], { cwd })).stdout)
    cpSync(join(cwd, 'results/tuning'), join(cwd, 'results/copy'), { recursive: true })
    const ended = await assay(['worker', id], { cwd })
    expect(complaint(ended, { cwd })).toBe(
      `error: ${id} is the id of several directories: <cwd>/results/copy, <cwd>/results/tuning\nOne is a copy of the other: give the directory instead.`,
    )
  })
})

it('sweep list shows each experiment, its objective, state and best value so far', async () => {
  const cwd = folderWith({
    ...tuning,
    'grid.yaml': 'name: grid\ntarget: { kind: command, command: ["true"] }\nseeds: 1..3\n',
    'results/broken/journal.db': 'garbage',
  })
  const made: SweepFacts = JSON.parse(
    (await assay(['sweep', 'tuning.yaml', '--json', '--project', 'p'], { cwd })).stdout,
  )
  await assay(['worker', made.id, '-q'], { cwd })
  const grid: SweepFacts = JSON.parse((await assay(['sweep', 'grid.yaml', '--json'], { cwd })).stdout)
  const lines = (await assay(['sweep', 'list'], { cwd })).stdout.trimEnd().split('\n')
  expect(lines[0]).toBe('id        name    method  metric         state      runs  best so far  with')
  expect(lines[1]).toMatch(new RegExp(`^${grid.id}  grid    grid    –              waiting +0/3`))
  expect(lines[2]).toMatch(
    new RegExp(`^${made.id}  tuning  bayes   minimize loss  finished  24/24 +[\\d.]+  x=[\\d.]+ kind=a$`),
  )
  const some = JSON.parse((await assay(['sweep', 'list', '--project', 'p', '--json'], { cwd })).stdout)
  expect(some.sweeps.map(({ id }: SweepFacts) => id)).toEqual([made.id])
  expect((await assay(['sweep', 'list', '--out-root', 'nowhere'], { cwd })).stdout).toContain('no experiments below')
})

it('--count of a sweep without end runs that many, without a warning', async () => {
  const endless = `program: test\nmethod: random\ncommand: ['true']\nparameters: { lr: { min: 0.1, max: 1.0 } }\n`
  const cwd = folderWith({ 'e.yaml': endless })
  const { stdout, stderr } = await assay(['run', 'e.yaml', '--first', '2'], { cwd })
  expect(stdout).toContain('planned_runs=2 to_run=2 skipped=0')
  expect(stderr).not.toContain('continues until')
})

it('a sweep that ends with its target says so when created', async () => {
  const file = `program: test\nmethod: random\ncommand: ['true']\nmetric: { name: acc, goal: maximize, target: 0.9 }\nrun_cap: 9\nparameters: { lr: { min: 0.1, max: 1.0 } }\n`
  const cwd = folderWith({ 'e.yaml': file })
  const { stdout } = await assay(['sweep', 'e.yaml'], { cwd })
  expect(stdout).toContain('random, maximize acc; at most 9 runs, until acc is 0.9 or more')
})

describe('a missing objective', () => {
  const file = `program: test
method: grid
command: [sh, report.sh]
metric: { name: los, goal: minimize }
parameters: { layers: { values: [2, 3] } }
`
  const files = { 'e.yaml': file, 'report.sh': `echo '{"loss": 1}' >> "$ASSAY_METRICS_FILE"\n` }

  it('is reported by sweep list and sweep best', async () => {
    const cwd = folderWith(files)
    const { id }: SweepFacts = JSON.parse(
      (await assay(['sweep', 'e.yaml', '--project', 'p', '--json'], { cwd })).stdout,
    )
    const other = (await assay(['sweep', 'list', '--project', 'nosuch'], { cwd })).stdout
    expect(other).toMatch(/^the experiment below .* is not of project:nosuch; there are project:p\n$/)
    expect((await assay(['worker', id], { cwd })).status).toBe(0)
    expect((await assay(['sweep', 'best', id], { cwd })).stderr).toContain('Completed runs have loss: choose one with')
  })

  it('can be set later', async () => {
    const cwd = folderWith(files)
    const { stderr } = await assay(['run', 'e.yaml', '--set', 'layers.max=9'], { cwd })
    expect(stderr).toContain('there is no "layers.max" in this experiment')
    expect(stderr).toContain('set the content of a parameter with --set parameters.layers.max=…')
  })
})

it('gives the maximum number of runs if a target may end the search', async () => {
  const cwd = folderWith({
    'x.mjs': 'export default ({ x }) => ({ loss: x })',
    'sweep.yaml': `
      name: capped
      target: { kind: function, module: x.mjs }
      factors: { x: { min: 1, max: 2 } }
      metrics: { loss: { goal: minimize } }
      search: { method: random, max_runs: 6, target: 0 }`,
  })
  const { id } = JSON.parse((await assay(['sweep', 'sweep.yaml', '--json'], { cwd })).stdout)
  expect((await assay(['worker', id, '--count', '2'], { cwd })).stdout).toContain('planned_runs=? at_most=6 ')
  expect((await assay(['sweep', 'list'], { cwd })).stdout).toMatch(/ 2\/≤6 /)
  expect(JSON.parse((await assay(['sweep', 'list', '--json'], { cwd })).stdout).sweeps).toMatchObject([
    { planned: null, at_most: 6, done: 2 },
  ])
})
