import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { text } from '../../src/record/journal/columns.ts'
import { Journal } from '../../src/record/journal/journal.ts'
import { journalFile } from '../../src/record/places.ts'
import { assay, eventsOf, folderWith, startAssay, summaryOf } from '../support/assay.ts'

const files = {
  'train.mjs': `export default async ({ x, kind, depth }, { seed }) => {
  await new Promise(resolve => setTimeout(resolve, 15))
  if (kind === 'broken') throw new Error('it broke')
  return { loss: (x - 0.3) ** 2 + (kind === 'b' ? depth / 10 : 0.2) + seed / 1000 }
}`,
  'experiment.yaml': `name: tuning
target: { kind: function, module: train.mjs }
factors:
  x: { min: 0, max: 1 }
  kind: [a, b]
  depth: { min: 1, max: 9, integer: true, when: "kind == 'b'" }
seeds: 1..2
metrics: { loss: { goal: minimize } }
search: { method: bayes, max_runs: 40 }
limits: { jobs: 2 }
`,
}

function reasons(folder: string): { readonly name: string; readonly why: string }[] {
  const journal = Journal.openExisting(journalFile(join(folder, 'results/tuning')))
  try {
    return journal.all({ name: text, why: text }, 'SELECT name, why FROM runs ORDER BY id')
  } finally {
    journal.close()
  }
}

describe('a search', () => {
  it('learns while it runs: processes results before the next proposals', async () => {
    const folder = folderWith(files)
    // One at a time: which results are in when the next run is proposed would depend on how fast the machine is.
    const ended = await assay(['run', '--json', '-j', '1'], { cwd: folder })
    expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: 40, completed: 40 })
    const runs = reasons(folder)
    expect(runs.slice(0, 12).every(({ why }) => why.includes('spread over the space'))).toBe(true)
    expect(runs.slice(12).every(({ why }) => why.startsWith('expected improvement'))).toBe(true)
    expect(runs.slice(-4).every(({ name }) => name.includes('kind-b_depth-1'))).toBe(true)
  })

  it('loses nothing and repeats nothing when killed and restarted', async () => {
    const folder = folderWith(files)
    const first = startAssay(['run', '--json'], { cwd: folder })
    await first.said('"kind":"attempt_ended"', 15)
    first.child.kill('SIGKILL')
    await first.ended
    const again = await assay(['run', '--json'], { cwd: folder })
    const { completed, reused, attempts } = summaryOf(again)
    expect(completed, again.stderr).toBe(40)
    expect(reused).toBeGreaterThanOrEqual(14)
    expect(Number(attempts)).toBeLessThanOrEqual(42)
  })

  it('continues with more runs or levels, and uses earlier results', async () => {
    const folder = folderWith(files)
    await assay(['run', '--json', '--set', 'search.max_runs=20'], { cwd: folder })
    const more = await assay(['run', '--json', '--set', 'search.max_runs=24'], { cwd: folder })
    expect(summaryOf(more), more.stderr).toMatchObject({ planned: 24, completed: 24, reused: 20, attempts: 24 })
    const levels = ['--set', 'search.max_runs=28', '--set', 'kind=a,b,c']
    const wider = await assay(['run', '--json', ...levels], { cwd: folder })
    expect(summaryOf(wider), wider.stderr).toMatchObject({ planned: 28, completed: 28, reused: 24, attempts: 28 })
  })

  it('counts failures as the worst value, and continues', async () => {
    const folder = folderWith(files)
    const ended = await assay(['run', '--json', '--set', 'kind=a,broken', '--set', 'search.max_runs=30', '-j', '1'], {
      cwd: folder,
    })
    const { completed, failed } = summaryOf(ended)
    expect(Number(completed) + Number(failed), ended.stderr).toBe(30)
    expect(failed).toBeGreaterThan(0)
    expect(Number(failed)).toBeLessThan(15)
  })

  it('without an end can be stopped and given one: pending runs are dropped', async () => {
    const yaml = files['experiment.yaml'].replace('bayes', 'random').replace('max_runs: 40', 'max_runs: 5000')
    const folder = folderWith({ ...files, 'experiment.yaml': yaml })
    const first = startAssay(['run', '--json'], { cwd: folder })
    await first.said('"kind":"attempt_ended"', 20)
    first.child.kill('SIGINT')
    const { completed } = summaryOf(await first.ended)
    const again = await assay(['run', '--json', '--set', 'search.max_runs=30'], { cwd: folder })
    const most = Math.max(30, Number(completed))
    expect(summaryOf(again), again.stderr).toMatchObject({ planned: most, completed: most, pending: 0 })
  })

  it('ends with its target: running runs finish, and the same command starts nothing', async () => {
    const folder = folderWith(files)
    const line = ['run', '--json', '--set', 'search.target=0.15', '--set', 'search.max_runs=200']
    const ended = await assay(line, { cwd: folder })
    const { planned, completed, pending } = summaryOf(ended)
    expect(ended.status, ended.stderr).toBe(0)
    expect({ completed, pending }).toEqual({ completed: planned, pending: 0 })
    expect(Number(completed)).toBeLessThan(200)
    const reached = expect.stringMatching(/^the target was reached by .+: loss is 0\.1\d*, and 0\.15 was enough$/)
    expect(summaryOf(ended)).toMatchObject({ stopped_by: reached })
    expect(eventsOf(ended).filter(({ kind }) => kind === 'draining')).toMatchObject([{ reason: reached }])
    expect(eventsOf(ended)[0]).toMatchObject({ kind: 'started', planned: null, at_most: 200 })
    const list = JSON.parse((await assay(['sweep', 'list', '--json'], { cwd: folder })).stdout)
    expect(list.sweeps).toMatchObject([{ state: 'finished', done: completed, planned: completed }])
    const worker = await assay(['worker', 'results/tuning'], { cwd: folder })
    expect({ status: worker.status, said: worker.stdout }).toMatchObject({
      status: 0,
      said: expect.stringContaining('ended: the target was reached by'),
    })
    const again = await assay(line, { cwd: folder })
    expect(summaryOf(again), again.stderr).toMatchObject({ planned, completed, reused: completed, attempts: planned })
    expect(summaryOf(again)).toMatchObject({ stopped_by: reached })
    const stricter = await assay([...line, '--set', 'search.target=0.11', '--first', '60'], { cwd: folder })
    expect(summaryOf(stricter), stricter.stderr).toMatchObject({ reused: completed })
    expect(summaryOf(stricter).completed).toBeGreaterThan(Number(completed))
  })

  it('ends a grid with its target too', async () => {
    const grid = ['--set', 'search.method=grid', '--set', 'x=0.1,0.2,0.3,0.4,0.5', '--set', 'search.target=0.21']
    const folder = folderWith(files)
    const plan = await assay(['plan', ...grid, '--order', 'listed'], { cwd: folder })
    expect(plan.stdout).toContain('search: grid, to minimize loss; until a run reaches 0.21, at most 40 runs')
    const ended = await assay(['run', '--json', ...grid, '--order', 'listed', '-j', '1'], { cwd: folder })
    const { planned, completed, pending } = summaryOf(ended)
    expect(ended.status, ended.stderr).toBe(0)
    expect({ planned, pending }).toEqual({ planned: completed, pending: 0 })
    expect(Number(completed)).toBeLessThan(40)
  })

  it('reports a missing metric after the first run, not at the end', async () => {
    const folder = folderWith({
      ...files,
      'experiment.yaml': files['experiment.yaml'].replaceAll('loss', 'lost').replace('bayes', 'random'),
    })
    const events = eventsOf(await assay(['run', '--json', '-j', '1'], { cwd: folder }))
    const told = events.flatMap(({ message }, index) =>
      String(message).includes('the search uses "lost"') ? [index] : [],
    )
    expect(told).toHaveLength(1)
    const before = events.slice(0, told[0])
    expect(before.filter(({ kind }) => kind === 'attempt_ended')).toHaveLength(1)
    expect(events[told[0] ?? 0]?.message).toContain('It has loss; did you mean "loss"?')
  })

  it('is shown by plan as far as known', async () => {
    const { stdout } = await assay(['plan'], { cwd: folderWith(files) })
    expect(stdout).toContain('planned_runs=40 to_run=40')
    expect(stdout).toContain('20 variants × 2 seeds, chosen by bayes')
    expect(stdout).toContain(
      'search: bayes, to minimize loss; the first 12 runs are known; the other 28 depend on results',
    )
  })

  it.each([
    ['search.method=bays', 'did you mean "bayes"?'],
    ['search.metric=los', 'the metric "los" is not declared; did you mean "loss"?'],
    ['search.goal=maximize', 'the search would maximize "loss", but its metric says minimize'],
    ['search.max_runs=1', 'one variant alone takes 2 runs'],
    ['search.method=grid', '"x" is continuous, and a grid needs levels'],
    ['x={min: 1, max: 0}', 'min must be less than max, got 1 and 0'],
    ['x={min: 0, max: 1, scale: log}', 'a log scale has only numbers above 0'],
    ['x={min: 0, mean: 1}', 'give min and max, mean and sd, or beta, not several of them'],
    ['constraints=["x > 2"]', 'satisfies constraints'],
  ])('refuses --set %s', async (set, message) => {
    const { status, stderr } = await assay(['plan', '--set', set], { cwd: folderWith(files) })
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  })
})

it.each(['inf', '-inf', 'NaN'])('a first run that diverges to %s is no reason to stop', async value => {
  const cwd = folderWith({
    'diverges.sh': `echo '{"loss": "${value}"}' >> "$ASSAY_METRICS_FILE"\n`,
    'experiment.yaml': `name: diverges
target: { kind: command, command: [sh, diverges.sh] }
factors: { x: { min: 0.1, max: 1 } }
metrics: { loss: { goal: minimize } }
search: { method: random, max_runs: 2 }
`,
  })
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 2 })
  expect(eventsOf(ended).filter(({ level }) => level === 'warning')).toEqual([])
  const named = { inf: 'Infinity', '-inf': '-Infinity', NaN: 'NaN' }[value]
  expect(ended.stdout).toContain(`loss was reported as ${named}`)
})
