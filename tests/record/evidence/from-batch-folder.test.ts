import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../../src/record/evidence/evidence.ts'
import { assay, folderWith } from '../../support/assay.ts'
import { jsonOf } from '../../support/files.ts'

const json = (value: unknown) => JSON.stringify(value)

const variation = (variation_id: number, model: string) => ({
  variation_id,
  description: `regulator=${model}`,
  modifications: { actor_models: { regulator: model }, scenario_overrides: {} },
})

/** As the first version writes it: costs in `totals`, metrics by turn, a halted run among the completed ones. */
function firstVersion() {
  const run = (name: string, level: number, more: Record<string, unknown> = {}) => ({
    [`runs/${name}/scenario-state.json`]: json({ status: 'completed', current_turn: 2, total_turns: 2, ...more }),
    [`runs/${name}/costs.json`]: json({ totals: { total_tokens: 10, total_cost_usd: 0.02 } }),
    [`runs/${name}/metrics.json`]: json({
      metrics_by_turn: { 1: { cooperation_level: 1, early: 4 }, 2: { cooperation_level: level, note: 'calm' } },
      final_metrics: { cooperation_level: level, note: 'calm', agreed: true },
    }),
  })
  return folderWith({
    'batch-state.json': json({
      experiment_name: 'Old',
      completed_runs: ['var-001-run-001', 'var-001-run-002', 'var-002-run-001', 'var-002-run-002'],
      failed_runs: [
        { run_id: 'var-002-run-003', error: 'Run cost $0.60 exceeds limit $0.50', status: 'cost_limit_exceeded' },
      ],
      runs_per_variation: 3,
      variations: [variation(1, 'gpt-4o'), variation(2, 'haiku')],
    }),
    ...run('var-001-run-001', 6),
    ...run('var-001-run-002', 8),
    ...run('var-002-run-001', 3),
    'runs/var-002-run-002/scenario-state.json': json({ status: 'halted', halt_reason: 'rate_limit', current_turn: 1 }),
    'runs/var-002-run-003/scenario.log': 'cut',
    'runs/notes.txt': 'not a run',
  })
}

/** As the second version writes it: metrics as a list, and a state that says `running` for ever. */
function secondVersion() {
  const run = (name: string, turn: number, more: Record<string, unknown> = {}) => ({
    [`runs/${name}/scenario-state.json`]: json({ status: 'running', turn, scenario_config: { num_turns: 2 }, ...more }),
    [`runs/${name}/costs.json`]: json({ total_cost: 0.5, by_actor: {}, records: [] }),
    [`runs/${name}/metrics.json`]: json([
      { name: 'trust', value: 2, turn: 1 },
      { name: 'trust', value: 7, turn: 2 },
      { name: 'tone', value: 3, turn: 2, metadata: { actor: 'regulator' } },
    ]),
  })
  return folderWith({
    'batch-state.json': json({
      completed_runs: ['var-001-run-001', 'var-001-run-002'],
      failed_runs: [],
      variations: [],
    }),
    ...run('var-001-run-001', 2),
    ...run('var-001-run-002', 1),
    ...run('var-001-run-003', 2, { status: 'failed', error: 'no key' }),
  })
}

const read = { series: 'all' } as const

describe('a folder that Scenario Lab made', () => {
  test('of the first version uses the state of each run, not the list', () => {
    const { runs, factors, sources } = evidenceOf(firstVersion(), read)
    expect(factors).toEqual(['actors.regulator.model'])
    expect(sources[0]?.planned).toBe(6)
    expect(runs.map(({ name, outcome, cost_usd }) => [name, outcome.kind, cost_usd])).toEqual([
      ['var-001-run-001', 'completed', 0.02],
      ['var-001-run-002', 'completed', 0.02],
      ['var-002-run-001', 'completed', 0.02],
      ['var-002-run-002', 'rate_limited', null],
      ['var-002-run-003', 'cost_limited', null],
    ])
    // A metric that only an earlier turn has is not lost, and a text is no number.
    expect(runs[0]?.metrics).toEqual({ cooperation_level: 6, early: 4, agreed: 1 })
    expect(runs[0]?.problems).toEqual({ note: 'not a number: "calm"' })
    expect(runs[0]?.series).toContainEqual({ metric: 'cooperation_level', steps: [1, 2], values: [1, 6] })
  })

  test('of the second version counts runs with all turns as completed', () => {
    const { runs } = evidenceOf(secondVersion(), read)
    expect(runs.map(({ outcome, metrics }) => [outcome.kind, metrics.trust, metrics['tone.regulator']])).toEqual([
      ['completed', 7, 3],
      ['cancelled', 7, 3],
      ['failed', 7, 3],
    ])
    expect(runs[0]?.cost_usd).toBe(0.5)
  })

  test('is analysed in place', async () => {
    const cwd = firstVersion()
    const ended = await assay(['analyze', '.', '--report'], { cwd })
    expect(ended.status, ended.stderr).toBe(0)
    expect(ended.stdout).toContain('**Total Runs:** 5')
    expect(jsonOf(join(cwd, 'analysis/variation-statistics.json'))).toMatchObject({
      1: { variation_id: 1, total_runs: 2, metrics: { cooperation_level: { mean: 7 } }, cost: { total: 0.04 } },
      2: { variation_id: 2, total_runs: 3 },
    })
    expect(jsonOf(join(cwd, 'analysis/patterns.json'))).toMatchObject({ total_runs: 5 })
    // A text has no mean, and is named with the reason.
    expect(jsonOf(join(cwd, 'analysis/metrics-analysis.json'))).toMatchObject({
      note: { count: 0, mean: null, missing_reasons: { 'not a number: "calm"': 3 } },
    })
    expect(ended.stdout).toMatch(/\| note \| 0 \(5 missing\) \|.*not a number: "calm"/)
  })

  test('with broken files reports missing values', () => {
    const cwd = folderWith({ 'runs/var-001-run-001/metrics.json': '{', 'runs/var-001-run-001/costs.json': '[]' })
    mkdirSync(join(cwd, 'runs/var-1000-run-1'))
    const { runs } = evidenceOf(cwd, read)
    expect(runs.map(({ name, params, cost_usd, metrics }) => [name, params, cost_usd, metrics])).toEqual([
      ['var-001-run-001', { variation: 1 }, null, {}],
      ['var-1000-run-1', { variation: 1000 }, null, {}],
    ])
    expect(runs[0]?.outcome.kind).toBe('cancelled')
  })
})
