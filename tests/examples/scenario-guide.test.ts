import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { BatchAnalyzer } from '../../src/api/batch-analyzer.ts'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { jsonOf } from '../support/files.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

/** The configuration of the guide, line by line. */
const guide = `# experiments/my-experiment/batch-config.yaml
experiment_name: "Model Comparison Study"
description: "Compare GPT-4 vs Claude in regulation negotiation"

base_scenario: "scenarios/test-regulation-negotiation"

# Run configuration
runs_per_variation: 10      # Run each variation 10 times
max_parallel: 2             # Max 2 concurrent runs
timeout_per_run: 1800       # 30 minutes max per run

# Cost controls
budget_limit: 20.00         # Stop if total cost exceeds $20
cost_per_run_limit: 1.00    # Stop individual runs if they exceed $1

# Variations to test
variations:
  - type: "actor_model"
    actor: "regulator"
    values:
      - "openai/gpt-4o-mini"
      - "anthropic/claude-3-haiku"

  - type: "actor_model"
    actor: "tech-company"
    values:
      - "openai/gpt-4o-mini"
      - "anthropic/claude-3-haiku"

# This creates 2x2 = 4 variations × 10 runs = 40 total runs

output_dir: "experiments/my-experiment"
save_individual_runs: true
aggregate_metrics: true
`

const dir = 'experiments/my-experiment'
const config = `${dir}/batch-config.yaml`

/** A project as the guide has it; with `isOffline` the same on models that negotiate by rules. */
function project(isOffline: boolean) {
  const offline = `${guide
    .replaceAll('openai/gpt-4o-mini', 'sim/firm')
    .replaceAll('anthropic/claude-3-haiku', 'sim/pragmatic')}\nassay: { models: scenarios/models.yaml }\n`
  const cwd = folderWith({ [config]: isOffline ? offline : guide })
  cpSync(join(examples, 'scenarios'), join(cwd, 'scenarios'), { recursive: true })
  return cwd
}

const filesOf = (cwd: string, folder: string) => readdirSync(join(cwd, folder)).toSorted()

describe('the guide to batches', () => {
  test('run, analyse, and the resulting files', async () => {
    const cwd = project(true)
    const planned = await assay(['plan', config, '--json'], { cwd })
    const ran = await assay(['run', config, '--json'], { cwd })
    expect(ran.status, ran.stderr).toBe(0)
    expect(summaryOf(ran)).toMatchObject({ planned: 40, completed: 40 })
    const { least_usd, usd, seconds } = JSON.parse(planned.stdout).estimate
    // The cost at list price is between both ends, because some of these actors talk.
    const listed = filesOf(cwd, `${dir}/runs`).map(
      run => jsonOf<{ total_cost: number }>(join(cwd, dir, 'runs', run, 'costs.json')).total_cost,
    )
    const price = listed.reduce((sum, cost) => sum + cost, 0)
    expect([least_usd < price * 1.2, price < usd, seconds > 1]).toEqual([true, true, true])

    for (const file of ['batch-config.yaml', 'batch-summary.json', 'batch-state.json', 'batch-costs.json'])
      expect(existsSync(join(cwd, dir, file)), file).toBe(true)
    expect(filesOf(cwd, `${dir}/runs`)).toHaveLength(40)
    const files = filesOf(cwd, `${dir}/runs/var-001-run-001`)
    for (const file of [
      ...['world-state-000.md', 'world-state-003.md', 'actor-regulator-001.md', 'actor-tech-company-003.md'],
      ...['metrics.json', 'costs.json', 'scenario-state.json', 'scenario.log'],
    ])
      expect(files).toContain(file)
    // In private an actor answers the question asked, and no other.
    const talk = 'bilateral-regulator-tech-company-002.md'
    const talks = filesOf(cwd, `${dir}/runs`).flatMap(run =>
      existsSync(join(cwd, dir, 'runs', run, talk)) ? [readFileSync(join(cwd, dir, 'runs', run, talk), 'utf8')] : [],
    )
    expect(talks.length).toBeGreaterThan(0)
    for (const said of talks) expect(said).not.toContain('TALK:')

    const analysed = await assay(['analyze', `${dir}/`], { cwd })
    expect(analysed.status, analysed.stderr).toBe(0)
    const report = await assay(['analyze', `${dir}/`, '--report'], { cwd })
    expect(report.stdout).toBe(readFileSync(join(cwd, dir, 'analysis/analysis-report.md'), 'utf8'))
    for (const part of [
      'Success Rate',
      'Overall Metrics',
      'Variation Comparison',
      'Cost Efficiency',
      'cooperation_level',
    ])
      expect(report.stdout).toContain(part)
    expect(filesOf(cwd, `${dir}/analysis`)).toEqual([
      ...['analysis-report.md', 'metrics-analysis.json', 'patterns.json', 'variation-statistics.json'],
    ])

    // The guide's snippet for Python, in TypeScript.
    const analyzer = new BatchAnalyzer(join(cwd, dir))
    analyzer.collectRunData()
    expect(analyzer.calculateMetricStatistics().cooperation_level?.mean).toBeGreaterThan(0)
    const [best] = analyzer.compareVariations('cooperation_level')
    // Models with other rules reach other outcomes.
    expect(best?.description).toContain('actors.regulator.model=sim/pragmatic, actors.tech-company.model=sim/pragmatic')
    const { success_rate } = analyzer.identifyPatterns()
    expect(success_rate).toBeGreaterThan(0.1)
    expect(success_rate).toBeLessThan(0.9)
  })

  test('Python reads the state file', async () => {
    const cwd = project(true)
    await assay(['run', config, '--set', 'runs_per_variation=1', '-q'], { cwd })
    const snippet = `
import json, datetime
state = json.load(open("${dir}/batch-state.json"))
costs = json.load(open("${dir}/batch-costs.json"))["summary"]
datetime.datetime.fromisoformat(costs["start_time"])
print(len(state["completed_runs"]), costs["runs_completed"], costs["total_spent"] < costs["budget_limit"])
`
    const python = spawnSync('python3', ['-c', snippet], { cwd, encoding: 'utf8' })
    if (python.error === undefined) expect(python.stdout, python.stderr).toBe('4 4 True\n')
  })

  test('the unchanged configuration is planned and rehearsed at real prices, in a separate directory', async () => {
    // The scenario's own model, sim/narrator, is in scenarios/models.yaml beside it.
    const cwd = project(false)
    const plan = await assay(['plan', config, '--rehearse'], { cwd })
    expect(plan.status, plan.stderr).toBe(0)
    expect(plan.stdout).toMatch(
      /cost of 40 runs: \$[\d.]+ \(no actor opens a talk\) to \$[\d.]+ \(every actor opens one each turn\), at most \$[\d.]+/,
    )
    expect(plan.stdout).toMatch(/time of 40 runs: about [\dhms.]+ with 2 at once, up to \d+ model calls/)
    expect(plan.stdout).toContain('3 turns with 7 calls each')
    const ran = await assay(['run', config, '--rehearse', '--set', 'runs_per_variation=1', '--json'], { cwd })
    expect(summaryOf(ran), ran.stderr).toMatchObject({ planned: 4, completed: 4 })
    // Simulated answers have no metrics; nothing is wrong with that.
    expect(ran.status, ran.stderr).toBe(0)
    expect(Number(summaryOf(ran).cost_usd)).toBeGreaterThan(0)
    expect(summaryOf(ran).dir).toBe(join(cwd, `${dir}-rehearsal`))
    expect(filesOf(cwd, dir)).toEqual(['batch-config.yaml'])
  })

  test('missing keys are refused by name and place, and leave nothing behind', async () => {
    const cwd = project(false)
    const env = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', OPENROUTER_API_KEY: '' }
    const refused = await assay(['run', config], { cwd, env })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toMatch(/batch-config\.yaml:21:9 {2}variations\.0\.values\.0: .*OPENAI_API_KEY is not set/)
    expect(refused.stderr).toMatch(/batch-config\.yaml:22:9 .*ANTHROPIC_API_KEY is not set/)
    expect(filesOf(cwd, dir)).toEqual(['batch-config.yaml'])
  })

  test('a batch stopped by its budget continues with --resume, and pays for nothing twice', async () => {
    const cwd = project(true)
    const stopped = await assay(['run', config, '--set', 'budget_limit=0.02', '--set', 'cost_per_run_limit=null'], {
      cwd,
    })
    expect(stopped.status).toBe(3)
    expect(stopped.stdout).toContain('Budget limit reached')
    const before = jsonOf<{ runs_completed: number; cost_summary: { total_spent: number } }>(
      join(cwd, dir, 'batch-summary.json'),
    )
    expect(before.cost_summary.total_spent).toBeLessThanOrEqual(0.02)
    expect(before.runs_completed).toBeGreaterThan(0)
    const done = await assay(['run', config, '--resume', '--json'], { cwd })
    expect(summaryOf(done), done.stderr).toMatchObject({ completed: 40, reused: before.runs_completed })
    const costs = jsonOf<{ run_costs: { run_id: string; success: boolean }[] }>(join(cwd, dir, 'batch-costs.json'))
    const succeeded = costs.run_costs.filter(({ success }) => success).map(({ run_id }) => run_id)
    expect(new Set(succeeded).size).toBe(succeeded.length)
  })

  test('"API rate limit" comes with advice', async () => {
    const cwd = project(true)
    const models = join(cwd, 'scenarios/models.yaml')
    writeFileSync(
      models,
      `${readFileSync(models, 'utf8')}\nsim/busy:\n  price: free\n  rules: [{ fail: rate_limited }]\n`,
    )
    const ended = await assay(
      [
        'run',
        config,
        '--set',
        'variations=[{type: actor_model, actor: regulator, values: [sim/busy]}]',
        '--set',
        'runs_per_variation=1',
        '--fail-on-rate-limit',
        '--set',
        'assay.limits.retries.rate_limited=0',
      ],
      { cwd },
    )
    expect(ended.status).toBe(3)
    expect(ended.stdout).toMatch(/API rate limit: .*Reduce max_parallel/)
    const { failed_runs } = jsonOf<{ failed_runs: { error: string; status: string }[] }>(
      join(cwd, dir, 'batch-summary.json'),
    )
    expect(failed_runs[0]).toMatchObject({
      status: 'rate_limited',
      error: expect.stringMatching(/^API rate limit: .*max_parallel/),
    })
    expect(readFileSync(join(cwd, dir, 'runs/var-001-run-001/scenario.log'), 'utf8')).toContain('API rate limit')
  })

  test('runs of one variation differ from each other', async () => {
    const cwd = project(true)
    await assay(['run', config, '--set', 'variations=[]', '--set', 'runs_per_variation=12', '-q'], { cwd })
    const stories = filesOf(cwd, `${dir}/runs`).map(name =>
      readFileSync(join(cwd, dir, 'runs', name, 'world-state-003.md'), 'utf8'),
    )
    expect(new Set(stories).size).toBeGreaterThan(3)
  })
})

test('one scenario is estimated and played with its own models.yaml', async () => {
  const cwd = project(true)
  const estimate = await assay(['scenario', 'estimate', 'scenarios/harbour-dues'], { cwd })
  expect(estimate.stdout).toMatch(/up to 41 model calls a run, \$[\d.]+ \(no actor opens a talk\)/)
  const played = await assay(['scenario', 'run', 'scenarios/harbour-dues', '--json'], { cwd })
  expect([played.status, played.stderr]).toEqual([0, ''])
  expect(summaryOf(played)).toMatchObject({ completed: 1 })
})

describe('branches of a batch', () => {
  test('continue with and without a changed state, separate from runs from the beginning', async () => {
    const cwd = project(true)
    const few = ['run', config, '--set', 'runs_per_variation=3', '--set', 'variations=[]']
    await assay([...few, '-q'], { cwd })
    const branch = [...few, '--branch-from', 'var-001-run-002:1']
    const state = '[null, "A leak, and then a scandal."]'
    const ended = await assay([...branch, '--set', `world_state=${state}`], { cwd })
    expect(ended.status, ended.stderr).toBe(0)
    expect(ended.stdout).toMatch(/passed: \d of 9 \([\d.]+%\): \d of 3 from the beginning, \d of 6 branches/)
    expect(ended.stdout).toContain('Without its 6 branches: ')
    expect(ended.stdout).toContain('Branches alone: ')
    const { total_variations, runs_completed, runs_left } = jsonOf(join(cwd, dir, 'batch-summary.json'))
    expect([total_variations, runs_completed, runs_left]).toEqual([3, 9, 0])
    const { variations } = jsonOf<{ variations: { variation_id: number; description: string }[] }>(
      join(cwd, dir, 'batch-state.json'),
    )
    expect(variations.map(({ description }) => description)).toEqual([
      'Base configuration',
      expect.stringMatching(/^from \S+:1(, world_state=A leak, and then a scandal\.)?$/),
      expect.stringMatching(/^from \S+:1(, world_state=A leak, and then a scandal\.)?$/),
    ])
    const changed = variations.find(({ description }) => description.includes('world_state'))?.variation_id ?? 0
    const world = (variation: number) =>
      readFileSync(join(cwd, dir, `runs/var-00${variation}-run-001/world-state-001.md`), 'utf8')
    expect(world(changed)).toContain('A leak, and then a scandal.')
    expect(world(5 - changed)).toBe(readFileSync(join(cwd, dir, 'runs/var-001-run-002/world-state-001.md'), 'utf8'))
    // The counterfactual is a comparison like any other.
    const compared = await assay(
      [...['compare', dir, '--control', 'world_state=null', '--filter', "branch_from != 'none'", '--json']],
      { cwd },
    )
    expect(JSON.parse(compared.stdout), compared.stderr).toMatchObject({
      n: { control: 3, candidate: 3 },
      warnings: expect.arrayContaining([expect.stringContaining('the result holds for that history')]),
    })
    // Without the change these are the same runs again.
    const again = await assay([...branch, '--json'], { cwd })
    expect(summaryOf(again)).toMatchObject({ planned: 6, reused: 6 })
  })

  test('refuse an invalid state', async () => {
    const cwd = project(true)
    await assay(['run', config, '--set', 'runs_per_variation=1', '-q'], { cwd })
    const refused = async (...args: string[]) => (await assay(['plan', config, ...args], { cwd })).stderr
    const from = ['--branch-from', 'var-001-run-001:1']
    expect(await refused('--set', 'world_state=x')).toContain('nothing branches here')
    expect(await refused(...from, '--set', 'world_stat=x')).toContain('did you mean "world_state"?')
    expect(await refused(...from, '--set', 'world_state=a, b')).toContain(
      '"world_state" has one value here, not several\nPut a text with a comma in quotes; to vary it, write a list: [a, b].',
    )
    expect(await refused(...from, '--set', 'metrics.cooperation_leve.value=3')).toContain(
      'there is no metric "cooperation_leve"; did you mean "cooperation_level"?',
    )
    expect(await refused(...from, '--set', 'actors.regulator.model=sim/firm')).toContain(
      'actors.regulator.model is a variation already',
    )
    expect(await refused(...from, '--set', 'actors.regulator.goals=[[peace]]')).toBe('')
  })
})

describe('every batch of examples/experiments', () => {
  test('budget-stop never exceeds its budget, and completes with a higher one', async () => {
    const cwd = folderWith()
    for (const name of ['scenarios', 'experiments']) cpSync(join(examples, name), join(cwd, name), { recursive: true })
    const config = 'experiments/budget-stop/batch-config.yaml'
    const stopped = await assay(['run', config, '--json'], { cwd })
    expect(stopped.status, stopped.stderr).toBe(3)
    expect(Number(summaryOf(stopped).cost_usd)).toBeLessThanOrEqual(0.02)
    const done = await assay(['run', config, '--resume', '--budget', '1', '--json'], { cwd })
    expect(summaryOf(done), done.stderr).toMatchObject({ completed: 24, overrun_usd: 0 })
  })

  test('sensitivity and robustness run, and the commands in their first lines answer what they ask', async () => {
    const cwd = folderWith()
    for (const name of ['scenarios', 'experiments']) cpSync(join(examples, name), join(cwd, name), { recursive: true })
    const ran = async (name: string, ...more: string[]) => {
      const ended = await assay(['run', `experiments/${name}/batch-config.yaml`, '--json', ...more], { cwd })
      expect(ended.status, ended.stderr).toBe(0)
      const { planned, completed } = summaryOf(ended)
      expect(completed).toBe(planned)
      expect(readFileSync(join(cwd, `experiments/${name}/analysis/analysis-report.md`), 'utf8')).toContain(
        'Success Rate',
      )
      return planned
    }
    // Half of its runs, because two are enough to see that models matter.
    expect(await ran('sensitivity', '--set', 'runs_per_variation=2')).toBe(32)
    const effects = await assay(['effects', 'experiments/sensitivity', '--metric', 'trust', '--resamples', '500'], {
      cwd,
    })
    expect([effects.status, effects.stderr, effects.stdout]).toEqual([0, '', expect.stringContaining('port-authority')])
    expect(await ran('robustness')).toBe(50)
    expect(readdirSync(join(cwd, 'experiments/robustness/runs'))).toEqual([])
    const variance = await assay(['variance', 'experiments/robustness', '--metric', 'cooperation_level'], { cwd })
    expect([variance.status, variance.stderr, variance.stdout]).toEqual([0, '', expect.stringContaining('50')])
  })

  test.each(readdirSync(join(examples, 'experiments')))('%s is accepted', async name => {
    const { status, stderr } = await assay(['plan', `experiments/${name}/batch-config.yaml`], { cwd: examples })
    expect(status, stderr).toBe(0)
  })
})
