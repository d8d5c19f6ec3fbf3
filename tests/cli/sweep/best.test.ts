import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { simulator, smokeJson } from '../../support/matrix-json.ts'
import { type SweepFacts, tuning } from './tuning.ts'

async function done(more: readonly string[] = []) {
  const cwd = folderWith(tuning)
  const { id, dir }: SweepFacts = JSON.parse((await assay(['sweep', 'tuning.yaml', ...more, '--json'], { cwd })).stdout)
  const work = await assay(['worker', id], { cwd })
  return { cwd, id, dir, work, best: (...args: string[]) => assay(['sweep', 'best', id, ...args], { cwd }) }
}

describe('sweep best', () => {
  it('leaves runs that were stopped early out of the front and of the comparison', async () => {
    const cwd = folderWith({
      'train.mjs': `export default async ({ w }, { report, signal }) => {
        for (let step = 1; step <= 3; step++) { report('acc', step * w, step); report('secs', step * w, step) }
        if (w < 3) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }`,
      'sweep.yaml': `
        name: fronts
        target: { kind: function, module: train.mjs }
        factors: { w: [3, 1, 2] }
        metrics: { acc: { goal: maximize, primary: true }, secs: { goal: minimize } }
        order: listed
        search: { method: grid, early_stop: { type: asha, min_iter: 3 } }
        limits: { jobs: 1 }`,
    })
    const ran = await assay(['run', 'sweep.yaml'], { cwd })
    expect(ran.stdout).toContain('best of 1: acc 9.00, from a single run\n  w=3\n')
    expect(ran.stdout).toMatch(/\n {2}assay sweep best \S+\n {2}assay report results\/fronts\n$/)
    const told = JSON.parse((await assay(['sweep', 'best', 'results/fronts', '--json'], { cwd })).stdout)
    expect(told).toMatchObject({ variants: 3, incomplete: 2, is_optimistic: false, pareto: [{ params: { w: 3 } }] })
    expect((await assay(['sweep', 'best', 'results/fronts'], { cwd })).stdout).toContain(
      'Not compared: 2 variants with no completed run with a value.',
    )
  })

  it('ranks by the value of the objective: the best reported one with value: best', async () => {
    const best = async (value: string) => {
      const cwd = folderWith({
        'train.mjs': `export default ({ x }, { report }) => {
          const losses = x === 1 ? [1, 9] : x === 2 ? [5, 4] : [6]
          losses.forEach((loss, index) => report('loss', loss, index))
        }`,
        'sweep.yaml': `
          name: reported
          target: { kind: function, module: train.mjs }
          factors: { x: [1, 2, 3] }
          metrics: { loss: { goal: minimize } }
          search: { method: grid, value: ${value} }`,
      })
      const ran = await assay(['run', 'sweep.yaml'], { cwd })
      const told = JSON.parse((await assay(['sweep', 'best', 'results/reported', '--json'], { cwd })).stdout)
      return { params: told.params, value: told.value, ran: ran.stdout }
    }
    expect(await best('last')).toMatchObject({ params: { x: 2 }, value: 4 })
    expect(await best('best')).toMatchObject({
      params: { x: 1 },
      value: 1,
      ran: expect.stringContaining('best of 3: loss 1.00 (of each run the best it reported), from'),
    })
  })

  it('names the variant with the best mean over its seeds, its interval and the next step', async () => {
    const s = await done()
    const told = JSON.parse((await s.best('--json')).stdout)
    const means = journalRows<{ mean: number }>(
      s.dir,
      `SELECT avg(m.value) AS mean FROM runs r JOIN metrics m ON m.attempt_id = r.attempt_id
       GROUP BY json_extract(r.spec, '$.params') HAVING count(*) = 2 ORDER BY mean`,
    )
    expect(told).toMatchObject({
      kind: 'best',
      id: s.id,
      metric: 'loss',
      goal: 'minimize',
      variants: 12,
      incomplete: 0,
    })
    expect(told.value).toBeCloseTo(means[0]?.mean ?? 0, 12)
    expect(told.ranked).toHaveLength(5)
    expect(told).toMatchObject({ ci: { level: 0.95 }, is_optimistic: true, runs_per_variant: 2, params: { kind: 'a' } })
    expect(told.ci.low).toBeLessThan(told.value)
    expect(told.runs).toHaveLength(2)
    expect(told.importances.map((one: { parameter: string }) => one.parameter).sort()).toEqual(['kind', 'x'])
    const { stdout } = await s.best()
    expect(stdout).toMatch(/^tuning \([0-9a-f]{8}\): the best of 12 variants$/m)
    expect(stdout).toMatch(/^ {2}loss [\d.]+ \(95% CI −?[\d.e−-]+ to [\d.]+\), mean of 2 seeds$/m)
    expect(stdout).toContain('It was chosen because it came out best, so expect less of it next time.')
    expect(stdout).toContain(`  assay sweep best ${s.id} --write tuning-best.yaml\n  assay run tuning-best.yaml`)
  })

  it('marks a winner with a single run', async () => {
    const s = await done(['--seeds', '4'])
    const { stdout } = await s.best()
    expect(stdout).toMatch(/loss [\d.]+, from a single run/)
    expect(stdout).toContain('A single run does not say how far off it is, either.')
    expect(JSON.parse((await s.best('--json')).stdout)).toMatchObject({ ci: null, runs_per_variant: 1 })
  })

  it('compares only complete variants', async () => {
    const s = await done(['--set', 'search.max_runs=8'])
    const before = JSON.parse((await s.best('--json')).stdout)
    await assay(['sweep', 'tuning.yaml', '--set', 'search.max_runs=40'], s)
    await assay(['worker', s.id, '--count', '1', '-q'], s)
    const after = JSON.parse((await s.best('--json')).stdout)
    expect(after).toMatchObject({ variants: before.variants + 1, incomplete: 1, value: before.value })
    expect((await s.best()).stdout).toContain('Not compared: 1 variant with fewer than 2 completed runs with a value.')
  })

  it('--write makes a runnable experiment of the winner, with unused seeds', async () => {
    const s = await done()
    const { params } = JSON.parse((await s.best('--json')).stdout)
    const written = await s.best('--write', 'winner.yaml')
    expect(written.stdout, written.stderr).toContain(
      'Written to winner.yaml, with fresh seeds. To measure it: assay run winner.yaml',
    )
    expect(readFileSync(join(s.cwd, 'winner.yaml'), 'utf8')).toContain('\nseeds: 3..7\n')
    const plan = JSON.parse((await assay(['plan', 'winner.yaml', '--json'], s)).stdout)
    expect(plan).toMatchObject({ name: 'tuning-best', planned: 5 })
    expect(plan.runs.map((run: { params: unknown; seed: number }) => run)).toMatchObject(
      [3, 4, 5, 6, 7].map(seed => ({ params, seed })),
    )
    expect(summaryOf(await assay(['run', 'winner.yaml', '--json'], s))).toMatchObject({ completed: 5 })

    const again = await s.best('--write', 'winner.yaml')
    expect(again.status).toBe(2)
    expect(complaint(again, s)).toBe('error: <cwd>/winner.yaml is there already\nChoose another name, or add --force.')
    expect((await s.best('--write', 'winner.yaml', '--force')).status).toBe(0)
    const elsewhere = await s.best('--write', 'results/winner.yaml')
    expect(complaint(elsewhere, s)).toContain('must be in <cwd>: paths in it start there')
    expect(existsSync(join(s.cwd, 'results/winner.yaml'))).toBe(false)
  })

  it('--write repeats a search without seeds, with another seed of its own', async () => {
    const cwd = folderWith({ ...tuning, 'tuning.yaml': tuning['tuning.yaml'].replace('seeds: 1..2\n', '') })
    await assay(['run', 'tuning.yaml', '-q'], { cwd })
    await assay(['sweep', 'best', 'results/tuning', '--write', 'w.yaml'], { cwd })
    const text = readFileSync(join(cwd, 'w.yaml'), 'utf8')
    expect(text).toMatch(/^replicates: 5\nseed: 2$/m)
    expect(text).toContain('# The search had no seeds: a program that takes none will repeat itself.')
    expect(summaryOf(await assay(['run', 'w.yaml', '--json'], { cwd }))).toMatchObject({ completed: 5 })
  })

  it('--write turns a matrix-json sweep into an experiment with the same command line', async () => {
    const cwd = folderWith({ 'build/agent_sched_sim': simulator, 'smoke.json': smokeJson })
    await assay(['run', 'smoke.json', '-q'], { cwd })
    const best = ['sweep', 'best', 'bench_runs/smoke', '--metric', 'makespan_p95_ms', '--goal', 'minimize']
    const written = await assay([...best, '--write', 'w.yaml'], { cwd })
    expect(written.status, written.stderr).toBe(0)
    expect(readFileSync(join(cwd, 'w.yaml'), 'utf8')).toContain(
      '# Left out, because there can be one "*" here: out/tiers.csv',
    )
    const plan = JSON.parse((await assay(['plan', 'w.yaml', '--json'], { cwd })).stdout)
    const [first] = plan.runs
    expect(first.command.join(' ')).toContain('--seed 3')
    expect(first.command).toEqual(expect.arrayContaining(['--policy', '--workflows', '--enable_model_routing']))
    expect(summaryOf(await assay(['run', 'w.yaml', '--json'], { cwd }))).toMatchObject({ completed: 5 })
  })

  it.each([
    [['--metric', 'los'], 'no run has a metric "los"\ndid you mean "loss"?'],
    [['--metric', 'wall_s', '--goal', 'up'], '--goal: expected maximize or minimize, got "up"'],
  ])('refuses %j', async (args, message) => {
    const s = await done()
    const ended = await s.best(...args)
    expect(ended.status).toBe(2)
    expect(complaint(ended, s)).toBe(`error: ${message}`)
  })

  it('reports that no run has ended yet', async () => {
    const cwd = folderWith(tuning)
    await assay(['sweep', 'tuning.yaml'], { cwd })
    const ended = await assay(['sweep', 'best', 'results/tuning'], { cwd })
    expect(complaint(ended, { cwd })).toBe(
      'error: no run has ended yet: there is no best variant\nStart a worker first.',
    )
  })
})

describe('at the end of a search', () => {
  it('worker and run name the best and two commands that show more', async () => {
    const s = await done()
    const lines = new RegExp(
      `^best of 12: loss [\\d.]+ \\(95% CI .*\\), mean of 2 seeds\\n {2}x=[\\d.]+ kind=a\\n {2}assay sweep best ${s.id}\\n {2}assay report results/tuning\\n$`,
      'm',
    )
    expect(s.work.stdout).toMatch(lines)
    const run = await assay(['run', 'tuning.yaml'], s)
    expect(run.stdout).toMatch(lines)
  })

  it('the summary of --json has the keys it had', async () => {
    const s = await done()
    const { kind, exit_code, stopped_by, ...summary } = summaryOf(await assay(['run', 'tuning.yaml', '--json'], s))
    expect([kind, exit_code, stopped_by]).toEqual(['summary', 0, null])
    expect(Object.keys(summary).join(' ')).toBe(
      'dir planned completed failed timed_out cost_limited rate_limited stopped_early cancelled infra_error quarantined stale running pending reused attempts cost_usd overrun_usd wall_s',
    )
  })

  it('a plain grid prints no best', async () => {
    const cwd = folderWith({ 'g.yaml': 'name: g\ntarget: { kind: command, command: ["true"] }\nseeds: 1..2\n' })
    expect((await assay(['run', 'g.yaml'], { cwd })).stdout).not.toContain('best of')
  })
})
