import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { assay, folderWith, startAssay } from '../../support/assay.ts'
import { appeared, jsonOf } from '../../support/files.ts'
import { storyOf } from '../../targets/scenario/support.ts'

const examples = fileURLToPath(new URL('../../../examples/scenarios/', import.meta.url))

function project(config: string, file = 'batch.yaml') {
  const cwd = folderWith({ [file]: config })
  cpSync(examples, join(cwd, 'scenarios'), { recursive: true })
  const json = (name: string) => jsonOf<Record<string, never>>(join(cwd, 'out', name))
  return { cwd, json, run: (...more: string[]) => assay(['run', file, '-q', ...more], { cwd }) }
}

const base = `experiment_name: Layout
base_scenario: scenarios/test-regulation-negotiation
output_dir: out
runs_per_variation: 2
max_parallel: 2
variations:
  - { type: actor_model, actor: regulator, values: [sim/firm, sim/eu/firm] }
  - { type: scenario_parameter, parameter: turns, values: [1] }
assay:
  models: models.yaml
`

/** The models of the examples, and one more of the same name from another vendor. */
function models(cwd: string, more: object = {}) {
  const known = parse(readFileSync(join(cwd, 'scenarios/models.yaml'), 'utf8'))
  writeFileSync(join(cwd, 'models.yaml'), stringify({ ...known, 'sim/eu/firm': known['sim/firm'], ...more }))
}

describe('the files of a batch', () => {
  test('have exactly the keys of Scenario Lab, and the right values', async () => {
    const { cwd, json, run } = project(base)
    models(cwd)
    // Answers that runs share would cost the second of them nothing: which one that is depends on the machine.
    const ended = await run('--no-cache')
    expect(ended.status, ended.stderr).toBe(0)
    const state = json('batch-state.json')
    const names = ['var-001-run-001', 'var-001-run-002', 'var-002-run-001', 'var-002-run-002']
    expect(state).toEqual({
      experiment_name: 'Layout',
      config_path: join(cwd, 'batch.yaml'),
      runs_per_variation: 2,
      completed_runs: names,
      failed_runs: [],
      start_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
      end_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
      variations: ['sim/firm', 'sim/eu/firm'].map((model, at) => ({
        variation_id: at + 1,
        description: `regulator=${model}, turns=1`,
        modifications: { actor_models: { regulator: model }, scenario_overrides: { turns: 1 } },
      })),
    })
    const costs = json('batch-costs.json') as unknown as {
      summary: Record<string, number>
      run_costs: { run_id: string; cost: number; success: boolean }[]
      variation_statistics: Record<string, { total_cost: number; num_runs: number }>
    }
    expect(Object.keys(costs)).toEqual(['summary', 'run_costs', 'variation_statistics'])
    expect(Object.keys(costs.summary)).toEqual([
      ...['total_spent', 'budget_limit', 'cost_per_run_limit', 'remaining_budget', 'runs_completed', 'runs_failed'],
      ...['runs_budget_exceeded', 'avg_cost_per_run', 'duration_seconds', 'start_time', 'end_time'],
    ])
    expect(costs.run_costs.map(({ run_id }) => run_id).toSorted()).toEqual(names)
    expect(Object.keys(costs.run_costs[0] ?? {})).toEqual(['run_id', 'variation_id', 'cost', 'success', 'timestamp'])
    const spent = costs.run_costs.reduce((sum, { cost }) => sum + cost, 0)
    expect(costs.summary.total_spent).toBeCloseTo(spent, 10)
    expect(costs.summary.avg_cost_per_run).toBeCloseTo(spent / 4, 10)
    expect(spent).toBeGreaterThan(0)
    expect(costs.variation_statistics['2']).toMatchObject({ num_runs: 2, successful_runs: 2 })
    const files = names.map(name => jsonOf<{ total_cost: number }>(join(cwd, 'out/runs', name, 'costs.json')))
    expect(files.reduce((sum, { total_cost }) => sum + total_cost, 0)).toBeCloseTo(spent, 8)
    expect(json('batch-summary.json')).toMatchObject({
      base_scenario: 'scenarios/test-regulation-negotiation',
      total_variations: 2,
      total_runs_planned: 4,
      runs_completed: 4,
      runs_failed: 0,
      cost_summary: costs.summary,
      failed_runs: [],
    })
    expect(readFileSync(join(cwd, 'out/batch-config.yaml'), 'utf8')).toBe(base)
    expect(readFileSync(join(cwd, 'out/analysis/analysis-report.md'), 'utf8')).toContain('**Experiment:** Layout ')
    expect(readdirSync(join(cwd, 'out/analysis')).toSorted()).toEqual([
      ...['analysis-report.md', 'metrics-analysis.json', 'patterns.json', 'variation-statistics.json'],
    ])
  })

  test('keep their numbers when the configuration changes, and spare a foreign configuration', async () => {
    const config = base.replace('[sim/firm, sim/eu/firm]', '[sim/pragmatic, sim/firm]')
    const { cwd, json, run } = project(config)
    models(cwd)
    await run()
    writeFileSync(join(cwd, 'out/batch-config.yaml'), '# mine\n')
    writeFileSync(join(cwd, 'batch.yaml'), config.replace('[sim/pragmatic, sim/firm]', '[sim/firm, sim/eu/firm]'))
    expect((await run()).status).toBe(0)
    const { variations, completed_runs } = json('batch-state.json') as unknown as {
      variations: { variation_id: number; modifications: { actor_models: { regulator: string } } }[]
      completed_runs: string[]
    }
    expect(variations.map(one => [one.variation_id, one.modifications.actor_models.regulator])).toEqual([
      [1, 'sim/pragmatic'],
      [2, 'sim/firm'],
      [3, 'sim/eu/firm'],
    ])
    expect(completed_runs).toEqual(['var-002-run-001', 'var-002-run-002', 'var-003-run-001', 'var-003-run-002'])
    expect(json('batch-summary.json')).toMatchObject({ runs_completed: 4, total_runs_planned: 4 })
    expect(readFileSync(join(cwd, 'out/batch-config.yaml'), 'utf8')).toBe('# mine\n')
  })

  test('number the variations of a sample as in the full set', async () => {
    const tied = base.replace(
      /variations:.*assay:\n/s,
      `variations:
  - type: zip
    variations:
      - { type: actor_model, actor: regulator, values: [sim/firm, sim/eu/firm, sim/firm] }
      - { type: actor_model, actor: tech-company, values: [sim/firm, sim/firm, sim/pragmatic] }
  - { type: list, values: [{ turns: 1, initial_world_state: War. }, { turns: 2, initial_world_state: Peace. }] }
assay:
`,
    )
    const { cwd, json, run } = project(tied)
    models(cwd)
    const state = () =>
      json('batch-state.json') as unknown as {
        variations: { description: string; modifications: object }[]
        completed_runs: string[]
      }
    expect((await run('--set', 'assay.sample=2', '--set', 'runs_per_variation=1')).status).toBe(0)
    const sampled = state().variations.map(({ modifications }) => modifications)
    expect(sampled).toHaveLength(2)
    expect(sampled[0]).not.toEqual(sampled[1])
    expect(json('batch-summary.json')).toMatchObject({ total_variations: 2, total_runs_planned: 2, runs_completed: 2 })
    const whole = await run('--set', 'runs_per_variation=1')
    expect([whole.status, whole.stdout]).toEqual([0, expect.stringContaining('6 completed (2 reused)')])
    expect(json('batch-summary.json')).toMatchObject({ total_variations: 6, runs_completed: 6, runs_left: 0 })
    const { variations, completed_runs } = state()
    // Numbers stay with their variations, and models of the same name keep their vendor.
    expect(variations.slice(0, 2).map(({ modifications }) => modifications)).toEqual(sampled)
    expect(variations.map(({ description }) => description).toSorted()).toEqual(
      ['sim/eu/firm, tech-company=firm', 'sim/firm, tech-company=firm', 'sim/firm, tech-company=pragmatic'].flatMap(
        models =>
          ['turns=1, initial_world_state=War.', 'turns=2, initial_world_state=Peace.'].map(
            rest => `regulator=${models}, ${rest}`,
          ),
      ),
    )
    expect(completed_runs).toHaveLength(6)
    // Variations outside the sample are not listed, and those inside are already there.
    const again = await run('--set', 'assay.sample=3', '--set', 'runs_per_variation=1')
    expect(again.stdout).toContain('3 completed (3 reused)')
    expect(json('batch-summary.json')).toMatchObject({ total_variations: 3, runs_completed: 3, runs_left: 0 })
    const effects = await assay(['effects', 'out', '--metric', 'cooperation_level', '--resamples', '200'], { cwd })
    expect([effects.status, effects.stdout]).toEqual([0, expect.stringContaining('scenario.turns')])
  })

  test('are byte-identical if no run is left', async () => {
    const { cwd, run } = project(base)
    models(cwd)
    await run()
    const files = ['batch-state.json', 'batch-costs.json', 'batch-summary.json', 'analysis/patterns.json']
    const texts = () => files.map(file => readFileSync(join(cwd, 'out', file), 'utf8'))
    const before = texts()
    await run('--resume')
    expect(texts()).toEqual(before)
  })

  test('save_individual_runs: false deletes files of completed runs only', async () => {
    const failing = `${base}save_individual_runs: false\naggregate_metrics: false\n`.replace(
      '[sim/firm, sim/eu/firm]',
      '[sim/firm, sim/mute]',
    )
    const { cwd, json, run } = project(failing)
    models(cwd, { 'sim/mute': { price: 'free', rules: [{ fail: 'content_filter' }] } })
    expect((await run()).status).toBe(1)
    expect(readdirSync(join(cwd, 'out/runs')).toSorted()).toEqual(['var-002-run-001', 'var-002-run-002'])
    expect(existsSync(join(cwd, 'out/analysis'))).toBe(false)
    expect(json('batch-summary.json')).toMatchObject({
      runs_completed: 2,
      runs_failed: 2,
      failed_runs: [{ run_id: 'var-002-run-001', status: 'failed' }, { run_id: 'var-002-run-002' }],
    })
    // Deletion is recorded, so no run is repeated.
    expect((await run()).stdout).toContain('2 completed (2 reused)')
  })

  test.each([
    ['cost_per_run_limit: 0.0005', 'Run cost exceeds limit', 'cost_limit_exceeded', 'Increase cost_per_run_limit'],
    ['budget_limit: 0.001', 'Budget limit reached', 'budget_exceeded', 'Increase budget_limit'],
  ])('%s ends with the guide’s message', async (limit, words, status, remedy) => {
    const { cwd, json, run } = project(`${base}${limit}\n`.replace('runs_per_variation: 2', 'runs_per_variation: 4'))
    models(cwd)
    const ended = await run()
    expect(ended.status).toBe(3)
    const { failed_runs, cost_summary } = json('batch-summary.json') as unknown as {
      failed_runs: { run_id: string; error: string; status: string }[]
      cost_summary: { total_spent: number }
    }
    const said = failed_runs.find(one => one.status === status)
    if (words.startsWith('Budget')) {
      expect(ended.stdout).toContain(words)
      expect(ended.stdout).toContain(remedy)
      expect(cost_summary.total_spent).toBeLessThanOrEqual(0.001)
    } else {
      expect(said?.error).toMatch(new RegExp(`^${words}: .*${remedy}`))
      expect(ended.stderr).toContain(words)
      expect(readFileSync(join(cwd, 'out/runs', said?.run_id ?? '', 'scenario.log'), 'utf8')).toContain(words)
      // Only a budget of the whole batch ends the batch.
      expect(failed_runs).toHaveLength(8)
    }
  })

  test('have no total if the cost of runs is unknown', async () => {
    const { cwd, json, run } = project(base)
    models(cwd)
    const unpriced = readFileSync(join(cwd, 'models.yaml'), 'utf8').replaceAll(/^ {2}price:\n(?: {4}.*\n)+/gm, '')
    writeFileSync(join(cwd, 'models.yaml'), unpriced)
    expect((await run()).status).toBe(0)
    expect(json('batch-costs.json')).toMatchObject({
      summary: { total_spent: null, avg_cost_per_run: null, remaining_budget: null },
      run_costs: [{ cost: null }, { cost: null }, { cost: null }, { cost: null }],
    })
  })

  test('give the reason why a batch stopped between two runs, until it can continue', async () => {
    const { cwd, json, run } = project(`${base}budget_limit: 0.004\ncost_per_run_limit: 0.003\n`)
    models(cwd)
    expect((await run()).status).toBe(3)
    const stopped = json('batch-summary.json') as unknown as { runs_left: number; failed_runs: []; stop_reason: string }
    expect(stopped.failed_runs).toEqual([])
    expect(stopped.runs_left).toBeGreaterThan(0)
    expect(stopped.stop_reason).toMatch(
      /^Budget limit reached: the budget of \$0\.004 has no room for another run: \$0\.00\d+ is spent and a run may cost \$0\.003\. Increase budget_limit/,
    )
    expect((await run('--budget', '1')).status).toBe(0)
    expect(json('batch-summary.json')).toMatchObject({ runs_left: 0, stop_reason: null })
  })

  test('have cost 0 for an attempt killed before its first call', async () => {
    // One call a minute: of two runs at once one waits, and has not asked anything.
    const { cwd, json, run } = project(`${base}budget_limit: 1\n`)
    models(cwd)
    const started = startAssay(['run', 'batch.yaml', '--json', '--rate', 'sim=1rpm'], { cwd })
    await started.said('"attempt_started"', 2)
    started.child.kill('SIGKILL')
    await started.ended
    expect((await run('--resume', '--rate', 'sim=60000rpm')).status).toBe(0)
    const { summary, run_costs } = json('batch-costs.json') as unknown as {
      summary: { total_spent: number }
      run_costs: { cost: number; success: boolean }[]
    }
    const lost = run_costs.filter(({ success }) => !success)
    expect(lost).toHaveLength(2)
    expect(lost.filter(({ cost }) => cost === 0).length).toBeGreaterThan(0)
    expect(summary.total_spent).toBeCloseTo(
      run_costs.reduce((sum, { cost }) => sum + cost, 0),
      10,
    )
  })

  test('report an interrupted batch, and runs cancelled by a second Ctrl-C continue with the next call', async () => {
    const { cwd, json, run } = project(base.replace('[1]', '[3]'))
    models(cwd)
    const quick = readFileSync(join(cwd, 'models.yaml'), 'utf8')
    writeFileSync(join(cwd, 'models.yaml'), quick.replaceAll('base: 1ms', 'base: 50ms'))
    const started = startAssay(['run', 'batch.yaml', '--json'], { cwd })
    await appeared(join(cwd, 'out/runs/var-001-run-001/world-state-001.md'))
    started.child.kill('SIGINT')
    await started.said('"draining"')
    started.child.kill('SIGINT')
    expect((await started.ended).status).toBe(130)
    expect(json('batch-summary.json')).toMatchObject({
      runs_completed: 0,
      runs_failed: 0,
      runs_left: 4,
      stop_reason: 'Interrupted. Run the same command with --resume to continue.',
    })
    expect(json('runs/var-001-run-001/scenario-state.json')).toMatchObject({ status: 'halted', halt_reason: 'manual' })
    writeFileSync(join(cwd, 'models.yaml'), quick)
    expect((await run('--resume')).status).toBe(0)
    expect(json('batch-summary.json')).toMatchObject({ runs_completed: 4, runs_left: 0, stop_reason: null })
  })

  test('are correct after kill -9 and another call, with the same files as an uninterrupted run', async () => {
    const slow = base.replace('runs_per_variation: 2', 'runs_per_variation: 4').replace('[1]', '[3]')
    const { cwd, json, run } = project(slow)
    models(cwd)
    const quick = readFileSync(join(cwd, 'models.yaml'), 'utf8').replaceAll('base: 1ms', 'base: 0ms')
    writeFileSync(join(cwd, 'models.yaml'), quick.replaceAll('base: 0ms', 'base: 20ms'))
    const started = startAssay(['run', 'batch.yaml', '--json'], { cwd })
    await appeared(join(cwd, 'out/runs/var-001-run-002/turns/001.json'))
    started.child.kill('SIGKILL')
    await started.ended
    writeFileSync(join(cwd, 'models.yaml'), quick)
    expect((await run('--resume')).status).toBe(0)
    expect(json('batch-summary.json')).toMatchObject({ runs_completed: 8, runs_failed: 0 })
    const { completed_runs } = json('batch-state.json') as unknown as { completed_runs: string[] }
    expect(new Set(completed_runs).size).toBe(8)
    const { run_costs } = json('batch-costs.json') as unknown as { run_costs: { success: boolean }[] }
    expect(run_costs.filter(({ success }) => !success).length).toBeGreaterThan(0)
    // One after the other, and never cut off.
    const whole = await assay(['run', 'batch.yaml', '-q', '--jobs', '1', '--set', 'output_dir=whole'], { cwd })
    expect(whole.status, whole.stderr).toBe(0)
    for (const name of completed_runs)
      expect(storyOf(join(cwd, 'out/runs', name)), name).toEqual(storyOf(join(cwd, 'whole/runs', name)))
  })
})
