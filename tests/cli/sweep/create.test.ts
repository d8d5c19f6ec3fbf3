import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, summaryOf } from '../../support/assay.ts'
import { linesOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'
import { type SweepFacts, tuning } from './tuning.ts'

const create = async (cwd: string, ...args: string[]): Promise<SweepFacts> => {
  const ended = await assay(['sweep', 'create', ...args, '--json'], { cwd })
  expect(ended.stderr).toBe('')
  return JSON.parse(ended.stdout)
}

describe('assay sweep <file>', () => {
  it('plans, runs nothing, and prints an id and the command that starts workers', async () => {
    const cwd = folderWith(tuning)
    const { status, stdout, stderr } = await assay(['sweep', 'tuning.yaml'], { cwd })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const [, id = ''] = /created the sweep ([0-9a-f]{8})$/m.exec(stdout) ?? []
    expect(stdout.replaceAll(cwd, '<cwd>').replaceAll(id, '<id>')).toMatchInlineSnapshot(`
      "created the sweep <id>
        tuning: bayes, minimize loss; 24 runs: 24 pending
        in <cwd>/results/tuning
      start workers with this command, in as many terminals as you like:
        assay worker <id>
      "
    `)
    expect(existsSync(join(cwd, 'executions'))).toBe(false)
    expect(existsSync(join(cwd, 'results/tuning/experiment.yaml'))).toBe(true)
    const work = await assay(['worker', id, '--json'], { cwd })
    expect(summaryOf(work), work.stderr).toMatchObject({ planned: 24, completed: 24, attempts: 24 })
    expect(linesOf(join(cwd, 'executions'))).toHaveLength(24)
  })

  it('keeps the id while the file is unchanged', async () => {
    const cwd = folderWith(tuning)
    const first = await create(cwd, 'tuning.yaml', '--project', 'demo', '--entity', 'me')
    const again = await create(cwd, 'tuning.yaml')
    expect(first).toMatchObject({ was: 'new', planned: 24, completed: 0 })
    expect(again).toMatchObject({ id: first.id, was: 'same' })
    const labels = journalRows(first.dir, `SELECT text FROM labels ORDER BY text`)
    expect(labels).toEqual([{ text: 'entity:me' }, { text: 'project:demo' }])
    expect(journalRows(first.dir, `SELECT kind FROM events`)).toEqual([{ kind: 'create' }])
  })

  it('keeps the id and finished runs when values are added, and runs only new ones', async () => {
    const grid = (kinds: string) => `name: g
target: { kind: function, module: train.mjs }
factors: { x: [0.1, 0.2, 0.3], kind: ${kinds} }
metrics: { loss: { goal: minimize } }
`
    const cwd = folderWith({ ...tuning, 'g.yaml': grid('[a, b]') })
    const { id } = await create(cwd, 'g.yaml')
    await assay(['worker', id, '-q'], { cwd })
    writeFileSync(join(cwd, 'g.yaml'), grid('[a, b, c]'))
    expect(await create(cwd, 'g.yaml')).toMatchObject({ id, was: 'changed', planned: 9, completed: 6 })
    const work = await assay(['worker', id, '--json'], { cwd })
    expect(summaryOf(work)).toMatchObject({ planned: 9, completed: 9, reused: 6, attempts: 9 })
    expect(new Set(linesOf(join(cwd, 'executions'))).size).toBe(9)
    expect(linesOf(join(cwd, 'executions'))).toHaveLength(9)
  })

  it('keeps a pause', async () => {
    const cwd = folderWith(tuning)
    const { id, dir } = await create(cwd, 'tuning.yaml')
    await assay(['sweep', 'pause', id], { cwd })
    expect(await create(cwd, 'tuning.yaml', '--set', 'search.max_runs=30')).toMatchObject({ id, was: 'changed' })
    expect(journalRows(dir, 'SELECT control FROM experiment')).toEqual([{ control: 'pause' }])
  })

  it('meets `assay run` of the same file in one directory', async () => {
    const cwd = folderWith(tuning)
    const { dir } = await create(cwd, 'tuning.yaml')
    const run = await assay(['run', 'tuning.yaml', '--json'], { cwd })
    expect(summaryOf(run)).toMatchObject({ dir, completed: 24, attempts: 24 })
  })

  it('is found from its working directory, and elsewhere by the printed path', async () => {
    const cwd = folderWith({
      'sweeps/train.mjs': tuning['train.mjs'],
      'sweeps/t.yaml': tuning['tuning.yaml'],
      'far/x': '',
    })
    const nested = await create(cwd, 'sweeps/t.yaml')
    expect(nested).toMatchObject({ dir: join(cwd, 'sweeps/results/tuning'), worker: `assay worker ${nested.id}` })
    const from = await create(join(cwd, 'far'), '../sweeps/t.yaml', '--name', 'far', '--out-root', '../elsewhere')
    expect(from.worker).toBe(`assay worker ${from.id} --out-root ../elsewhere`)
    const line = from.worker.split(' ').slice(1)
    const work = await assay([...line, '--count', '1', '--json'], { cwd: join(cwd, 'far') })
    expect(summaryOf(work), work.stderr).toMatchObject({ completed: 1 })
  })

  it('creates nothing for an invalid file', async () => {
    const cwd = folderWith({ 'bad.yaml': tuning['tuning.yaml'].replace('bayes', 'bays') })
    const ended = await assay(['sweep', 'bad.yaml'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatch(/^error: bad\.yaml:8:\d+ .*did you mean "bayes"\?/)
    expect(existsSync(join(cwd, 'results'))).toBe(false)
  })

  it('refuses results of another definition until told what to do, like run', async () => {
    const cwd = folderWith({ ...tuning, 'other.mjs': tuning['train.mjs'] })
    const { id } = await create(cwd, 'tuning.yaml')
    await assay(['worker', id, '--count', '2', '-q'], { cwd })
    const other = ['--set', 'target.module=other.mjs']
    const refused = await assay(['sweep', 'tuning.yaml', ...other], { cwd })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain(
      '2 finished runs belong to an earlier definition: target.module: train.mjs → other.mjs',
    )
    expect(await create(cwd, 'tuning.yaml', ...other, '--stale', 'rerun')).toMatchObject({
      id,
      was: 'changed',
      completed: 0,
    })
  })

  it.each([
    ['sweep pasue 1234abcd', 'sweep does not know "pasue"', 'did you mean: assay sweep pause 1234abcd'],
    ['sweep lst', 'sweep does not know "lst"', 'did you mean: assay sweep list …'],
    ['sweep best', 'which one? sweep best needs an id or an experiment directory', '`assay sweep list` shows the ids.'],
    ['sweep --stop --cancel x', "--stop and --cancel can't be combined", ''],
  ])('refuses %s', async (line, message, hint) => {
    const cwd = folderWith(tuning)
    const ended = await assay(line.split(' '), { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toBe(`error: ${message}${hint === '' ? '' : `\n${hint}`}`)
  })
})

it('a sweep without an end says so, and counts its runs', async () => {
  const random = `program: train.mjs
method: random
metric: { name: loss, goal: minimize }
parameters: { x: { min: 0.0, max: 1.0 } }
command: [node, "\${program}"]
`
  const cwd = folderWith({ ...tuning, 'endless.yaml': random })
  const made = await assay(['sweep', 'endless.yaml'], { cwd })
  expect(made.stdout, made.stderr).toContain('endless: random, minimize loss; as many runs as you let it make')
  await assay(['worker', 'results/endless', '--count', '2', '-q'], { cwd })
  expect(await create(cwd, 'endless.yaml')).toMatchObject({ was: 'same', planned: null, completed: 2 })
  const { sweeps } = JSON.parse((await assay(['sweep', 'list', '--json'], { cwd })).stdout)
  expect(sweeps).toMatchObject([{ state: 'waiting', done: 2, planned: null }])
})

describe('a sweep with a setup hook', () => {
  it('must be started by run, because a worker would skip the hook', async () => {
    const hooked = `name: h
target: { kind: command, command: [cat, made] }
seeds: 1..3
hooks: { setup: "touch made" }
`
    const cwd = folderWith({ 'h.yaml': hooked })
    const made = await assay(['sweep', 'h.yaml'], { cwd })
    expect(made.stdout).toContain('It has a setup hook, which only `assay run')
    const { id, dir } = await create(cwd, 'h.yaml')
    const refused = await assay(['worker', id], { cwd })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('a setup hook that was never performed')
    expect(summaryOf(await assay(['run', id, '--json'], { cwd }))).toMatchObject({ dir, completed: 3 })
  })
})
