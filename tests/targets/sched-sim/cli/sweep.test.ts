import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assay, folderWith, type Place, summaryOf } from '../../../support/assay.ts'
import { journalRows } from '../../../support/journal.ts'
import { simulator } from '../../../support/matrix-json.ts'

const examples = join(import.meta.dirname, '../../../../examples/matrix-json')
const defaultJson = readFileSync(join(examples, 'default.json'), 'utf8')
const smokeJson = readFileSync(join(examples, 'smoke.json'), 'utf8')
const standsIn = "./build/agent_sched_sim does not exist: assay's own simulator runs instead (target sched-sim)"

const sweep = `
name: sweep
target: { kind: sched-sim, trace: all }
params: { workflows: 6, pdfs: 4, enable_model_routing: true }
factors: { policy: [fifo_cheapest, full] }
seeds: 1..2
metrics: { makespan_mean_ms: { goal: minimize } }
`

describe('a configuration of the matrix runner that names agent_sched_sim', () => {
  test('plans the 96 runs of default.json with Cascade’s names, and names the simulator', async () => {
    const cwd = folderWith({ 'default.json': defaultJson })
    const ended = await assay(['plan', '-c', 'default.json'], { cwd })
    expect(ended.status).toBe(0)
    expect(ended.stdout + ended.stderr).toContain(standsIn)
    const planned = await assay(['plan', '-c', 'default.json', '--json'], { cwd })
    const { runs } = JSON.parse(planned.stdout)
    const names = runs.map(({ id }: { id: string }) => id)
    expect(new Set(names).size).toBe(96)
    for (const name of [
      'dag_cheapest__wf100__seed1__baseline__fe5941dc3ef0',
      'dag_cheapest__wf100__seed1__no_hedge__7c300bd83e00',
    ])
      expect(names).toContain(name)
    expect(existsSync(join(cwd, 'bench_runs'))).toBe(false)
  })

  test('runs the 8 of smoke.json with the built-in simulator if the program is not built, with a notice', async () => {
    const cwd = folderWith({ 'smoke.json': smokeJson })
    const ended = await assay(['run', '-c', 'smoke.json'], { cwd })
    expect(ended.status).toBe(0)
    expect(ended.stdout + ended.stderr).toContain(standsIn)
    const runs = join(cwd, 'bench_runs/smoke/runs')
    expect(readdirSync(runs)).toHaveLength(8)
    const run = join(runs, 'full__wf5__seed1__baseline__fcdc4023c8cf')
    expect(readdirSync(run)).toEqual(expect.arrayContaining(['stdout.txt', 'stderr.txt']))
    const out = join(run, 'out')
    expect(readdirSync(out).sort()).toEqual(['summary.csv', 'tiers.csv', 'trace.json', 'workflows.csv'])
    const metrics = journalRows<{ metric: string }>(
      join(cwd, 'bench_runs/smoke'),
      'SELECT DISTINCT name AS metric FROM metrics',
    )
    expect(metrics.map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(['makespan_p95_ms', 'cost_mean', 'hedges_launched', 'llm_provider_tier1_utilization']),
    )
  })

  test('runs the program itself if it exists', async () => {
    const cwd = folderWith({ 'smoke.json': smokeJson, 'build/agent_sched_sim': simulator })
    const ended = await assay(['run', '-c', 'smoke.json'], { cwd })
    expect(ended.status).toBe(0)
    expect(ended.stdout + ended.stderr).not.toContain('runs instead')
    const out = join(cwd, 'bench_runs/smoke/runs/full__wf5__seed1__baseline__fcdc4023c8cf/out')
    expect(readdirSync(out).sort()).toEqual(['summary.csv', 'tiers.csv'])
    expect(readFileSync(join(out, 'summary.csv'), 'utf8')).toContain('49809.8')
  })
})

/** Every file that every run made, by its name. */
function outputsOf(dir: string): ReadonlyMap<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(file =>
    /out[/].+[.](csv|json)$/.test(file),
  )
  return new Map(files.sort().map(file => [file, readFileSync(join(dir, file), 'utf8')]))
}

test('a sweep gives the same bytes with one job, with two, and run for run through assay sim', async () => {
  const cwd = folderWith({ 'experiment.yaml': sweep })
  for (const jobs of ['1', '2']) {
    const ended = await assay(
      ['run', '-q', '-j', jobs, '--out-root', `jobs${jobs}`, '--set', `params.time_scale=${jobs}`],
      { cwd },
    )
    expect(ended.status).toBe(0)
  }
  const one = [...outputsOf(join(cwd, 'jobs1')).values()]
  expect(one).toHaveLength(16)
  expect([...outputsOf(join(cwd, 'jobs2')).values()].sort()).toEqual(one.toSorted())

  const plan = JSON.parse((await assay(['plan', '--json'], { cwd })).stdout)
  const [run] = plan.runs
  const [, , ...words] = run.command as string[]
  await assay(['sim', '-q', ...words.slice(0, -1), 'alone'], { cwd })
  const alone = ['summary.csv', 'tiers.csv', 'trace.json', 'workflows.csv'].map(file =>
    readFileSync(join(cwd, 'alone', file), 'utf8'),
  )
  for (const text of alone) expect(one).toContain(text)
})

test('a second time everything is reused; a changed model makes it stale', async () => {
  const model = (slots: number) => `local: { cpu: { slots: ${slots} }, io: { slots: 2 } }\n`
  const text = sweep.replace('trace: all', 'trace: none, model: m.yaml')
  const again = async (place: Place) => summaryOf(await assay(['run', '--json'], place))
  const cwd = folderWith({ 'experiment.yaml': text, 'm.yaml': model(4) })
  expect(await again({ cwd })).toMatchObject({ completed: 4, reused: 0 })
  expect(await again({ cwd })).toMatchObject({ completed: 4, reused: 4 })
  writeFileSync(join(cwd, 'm.yaml'), model(3))
  expect((await assay(['run'], { cwd })).status).toBe(2)
})

test('a simulation without completed workflows has no makespan, and is not a failure', async () => {
  const text = sweep.replace('trace: all', 'trace: none, model: m.yaml')
  const cwd = folderWith({ 'experiment.yaml': text, 'm.yaml': 'budget_per_workflow: 0.02\n' })
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended)).toMatchObject({ completed: 4, failed: 0 })
  const dir = String(summaryOf(ended).dir)
  const values = journalRows<{ value: number | null }>(dir, "SELECT value FROM metrics WHERE name = 'makespan_mean_ms'")
  for (const { value } of values) expect(value).toBeNull()
})

describe('mistakes in a sweep are reported before anything runs', () => {
  test.each([
    ['an unknown policy', sweep, ['--set', 'policy=ful'], '--set policy=ful: expected one of fifo_cheapest'],
    ['an unknown parameter', sweep.replace('pdfs: 4', 'pdf: 4'), [], 'did you mean "pdfs"?'],
    [
      'a negative seed',
      sweep.replace('1..2', '[-1]'),
      [],
      'expected a whole number from 0 to 18446744073709551615, got -1',
    ],
    [
      'a probability over 1',
      sweep.replace('pdfs: 4', 'heavy_tail_prob: 2'),
      [],
      'expected a probability from 0 to 1, got 2',
    ],
    ['a missing model', sweep.replace('trace: all', 'model: no.yaml'), [], 'no.yaml: no such file'],
    ['a missing trace of arrivals', sweep.replace('pdfs: 4', 'arrivals: "trace:no.csv"'), [], "no.csv: can't be read"],
    [
      'an unknown flag of an ablation',
      `${sweep}ablations: [{ name: a, flags: [--disable_hedgin] }]\n`,
      [],
      'disable_hedging',
    ],
  ])('%s', async (_name, text, more, message) => {
    const cwd = folderWith({ 'experiment.yaml': text })
    const ended = await assay(['run', ...more], { cwd })
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain(message)
    expect(readdirSync(cwd)).toEqual(['experiment.yaml'])
  })
})
