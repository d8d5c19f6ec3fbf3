import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadExperiment } from '../../../../src/define/load-experiment.ts'
import type { Overrides } from '../../../../src/define/overrides/overrides.ts'
import { planRuns } from '../../../../src/plan/plan.ts'
import { everything } from '../../../../src/plan/planner.ts'
import { targets } from '../../../../src/targets/registry.ts'
import { errorOf, folderWith } from '../../example.ts'

const actor = (short: string) =>
  `name: The ${short}\nshort_name: ${short}\nllm_model: sim/echo\nsystem_prompt: Negotiate.\n`

const project = {
  'scenarios/test-regulation-negotiation/scenario.yaml':
    'name: Negotiation\ninitial_world_state: A rule is missing.\nturn_duration: 1 month\nturns: 3\nactors: [regulator, tech-company]\nworld_state_model: sim/echo\n',
  'scenarios/test-regulation-negotiation/actors/regulator.yaml': actor('regulator'),
  'scenarios/test-regulation-negotiation/actors/tech-company.yaml': actor('tech-company'),
}

const file = 'experiments/my-experiment/batch-config.yaml'

function load(yaml: string, overrides: Overrides = {}) {
  const cwd = folderWith({ ...project, [file]: yaml })
  return { cwd, experiment: loadExperiment(file, { targets, overrides, cwd }) }
}

const problem = (yaml: string) => errorOf(() => load(yaml)).message

const head = 'experiment_name: Study\nbase_scenario: scenarios/test-regulation-negotiation\n'

const guide = `${head}description: "Compare GPT-4 vs Claude"
runs_per_variation: 10
max_parallel: 2
timeout_per_run: 1800
budget_limit: 20.00
cost_per_run_limit: 1.00
variations:
  - type: "actor_model"
    actor: "regulator"
    values: ["openai/gpt-4o-mini", "anthropic/claude-3-haiku"]
  - type: "actor_model"
    actor: "tech-company"
    values: ["openai/gpt-4o-mini", "anthropic/claude-3-haiku"]
output_dir: "experiments/my-experiment"
save_individual_runs: true
aggregate_metrics: true
`

describe('the configuration of the guide', () => {
  test('becomes 4 variations × 10 runs within its limits, in its output_dir', () => {
    const { experiment, cwd } = load(guide)
    expect(experiment).toMatchObject({
      name: 'Study',
      dialect: 'scenario-batch',
      directory: { kind: 'exact', path: join(cwd, 'experiments/my-experiment') },
      limits: { jobs: 2, timeout_ms: 1_800_000, budget_usd: 20, run_budget_usd: 1 },
      kept: { runs: 'all', analysis: true },
    })
    const runs = [...planRuns(experiment, { order: 'listed', seed: 1, selection: everything })]
    expect(runs).toHaveLength(40)
    const [first, second] = runs.map(({ name }) => name)
    expect([first, second, runs.at(-1)?.name]).toEqual(['var-001-run-001', 'var-001-run-002', 'var-004-run-010'])
    // The last dimension varies fastest.
    expect(runs[10]?.params).toMatchObject({
      'actors.regulator.model': 'openai/gpt-4o-mini',
      'actors.tech-company.model': 'anthropic/claude-3-haiku',
    })
  })

  test('has the defaults of the reference', () => {
    const { experiment, cwd } = load(head)
    expect(experiment).toMatchObject({
      limits: { jobs: 1, timeout_ms: 1_800_000, budget_usd: null, run_budget_usd: null },
      kept: { runs: 'all', analysis: true },
      directory: { kind: 'exact', path: join(cwd, 'experiments/batch-run') },
    })
    expect(experiment.blocks).toEqual([{ name: 'seed', levels: [1] }])
  })

  test('without variations repeats the scenario', () => {
    for (const none of ['variations: []', 'variations:', '']) {
      const { experiment } = load(`${head}runs_per_variation: 50\n${none}\n`)
      expect([...planRuns(experiment, { order: 'listed', seed: 1, selection: everything })].at(-1)?.name).toBe(
        'var-001-run-050',
      )
    }
  })

  test('is in its output_dir, from any working directory', () => {
    const cwd = folderWith({ ...project, [file]: guide.replace('scenarios/', '../../scenarios/') })
    const folder = join(cwd, 'experiments/my-experiment')
    for (const [from, named] of [
      [cwd, file],
      [folder, 'batch-config.yaml'],
    ] as const)
      expect(loadExperiment(named, { targets, cwd: from }).directory).toEqual({ kind: 'exact', path: folder })
  })

  test('in its output_dir finds the scenario and models of the project above it, from any working directory', () => {
    const models = 'assay: { models: models.yaml }\n'
    const cwd = folderWith({ ...project, [file]: `${guide}${models}`, 'models.yaml': 'sim/x: { price: free }\n' })
    const { target, directory, ...experiment } = loadExperiment(join(cwd, file), { targets, cwd: folderWith({}) })
    // Runs are the same as those of a call from the project itself.
    expect(target).toMatchObject({ scenario: 'scenarios/test-regulation-negotiation' })
    expect(target).toEqual(loadExperiment(file, { targets, cwd }).target)
    expect(directory).toEqual({ kind: 'exact', path: join(cwd, 'experiments/my-experiment') })
    expect(experiment.models).toHaveProperty(['sim/x'])
  })

  test('keeps a different output_dir of the same name', () => {
    const { experiment, cwd } = load(guide.replace('"experiments/my-experiment"', '"../my-experiment"'))
    expect(experiment.directory).toEqual({ kind: 'exact', path: join(cwd, '../my-experiment') })
  })

  test('takes limits from the command line', () => {
    const { experiment } = load(guide, { limits: { jobs: 3, budget_usd: 5, run_budget_usd: 0.5, timeout_ms: 9000 } })
    expect(experiment.limits).toMatchObject({ jobs: 3, budget_usd: 5, run_budget_usd: 0.5, timeout_ms: 9000 })
  })
})

describe('variations', () => {
  const factors = (variations: string) =>
    load(`${head}variations:\n${variations}`)
      .experiment.factors.filter(({ name }) => name !== 'scenario')
      .map(({ name, levels }) => [name, levels])

  test('set any part of a scenario', () => {
    expect(
      factors(`  - { type: scenario_parameter, parameter: turns, values: [2, 4] }
  - { type: scenario_parameter, parameter: features.communications.enabled, values: [true, false] }
  - { type: scenario_parameter, parameter: actors.regulator.system_prompt, values: [Be kind., Be firm.] }
  - { type: actors.tech-company.goals, values: [[grow], [survive]] }
  - { type: initial_world_state, values: [Peace., { append: A storm comes. }] }
`),
    ).toEqual([
      ['scenario.turns', [2, 4]],
      ['scenario.features.communications.enabled', [true, false]],
      ['actors.regulator.system_prompt', ['Be kind.', 'Be firm.']],
      ['actors.tech-company.goals', [['grow'], ['survive']]],
      ['initial_world_state', ['Peace.', { append: 'A storm comes.' }]],
    ])
  })

  test('may be written by name, as in the second version', () => {
    expect(factors('  actor_models: { regulator: [sim/a, sim/b] }\n  scenario_parameters: { turns: [1] }\n')).toEqual([
      ['actors.regulator.model', ['sim/a', 'sim/b']],
      ['scenario.turns', [1]],
    ])
  })

  const plan = (yaml: string) =>
    [...planRuns(load(yaml).experiment, { order: 'listed', seed: 1, selection: everything })].map(({ params }) =>
      [params['actors.regulator.model'], params['actors.tech-company.model'], params['scenario.turns']].join(' '),
    )
  const zipped = `  - type: zip
    variations:
      - { type: actor_model, actor: regulator, values: [a, b, a] }
      - { type: actor_model, actor: tech-company, values: [a, b, c] }
`

  test('vary together, by column or by row, in the order of the file', () => {
    const turns = '  - { type: scenario_parameter, parameter: turns, values: [1, 2] }\n'
    const rows = `  - type: list
    values:
      - { actors.regulator.model: a, actors.tech-company.model: a }
      - { actors.regulator.model: b, actors.tech-company.model: b }
      - { actors.regulator.model: a, actors.tech-company.model: c }
`
    for (const tied of [zipped, rows]) {
      expect(plan(`${head}variations:\n${tied}${turns}`)).toEqual([
        ...['a a 1', 'a a 2', 'b b 1', 'b b 2', 'a c 1', 'a c 2'],
      ])
      expect(plan(`${head}variations:\n${turns}${tied}`)).toEqual([
        ...['a a 1', 'b b 1', 'a c 1', 'a a 2', 'b b 2', 'a c 2'],
      ])
    }
    expect(plan(`${head}variations:\n  - { type: list, values: [{ turns: 3 }, { turns: 2 }] }\n`)).toEqual([
      ...['  3', '  2'],
    ])
  })

  test('are sampled without repeats, by seed, so that a larger sample extends a smaller one', () => {
    const all = `${head}variations:\n${zipped}  - { type: scenario_parameter, parameter: turns, values: [1, 2, 3, 4, 5, 6, 7] }\n`
    const sample = (size: number, seed = 1) => plan(`${all}assay: { sample: ${size}, seed: ${seed} }\n`)
    const whole = plan(all)
    expect([whole.length, new Set(sample(20)).size]).toEqual([21, 20])
    expect(sample(20).every(variation => whole.includes(variation))).toBe(true)
    expect(sample(20).slice(0, 5)).toEqual(sample(5))
    expect(sample(5, 2)).not.toEqual(sample(5))
    expect(problem(`${all}assay: { sample: 21 }\n`)).toContain(
      'batch-config.yaml:9:18  assay.sample: there are 21 combinations, and a sample has fewer',
    )
  })

  test.each([
    [
      '- { type: zip, variations: [{ type: actor_model, actor: regulator, values: [a, b] }, { type: turns, values: [1] }] }',
      ...['4:3', 'values that vary together need lists of equal length, not 2 and 1'],
    ],
    ['- { type: zip, values: [1] }', '4:16', 'zip has no values, but variations with values'],
    ['- { type: zip }', '4:3', 'the list of what varies together is missing'],
    ['- { type: zip, variations: [{ type: zip, values: [1] }] }', ...['4:37', "a zip can't be part of a zip"]],
    [
      '- { type: zip, variations: [{ type: actor_model, actor: regulater, values: [a] }] }',
      ...['4:57', 'there is no actor "regulater"; did you mean "regulator"?'],
    ],
    [
      '- { type: zip, variations: [{ type: scenario_parameter, parameter: turns, values: [1, 1] }] }',
      ...['4:87', '[1] is listed twice'],
    ],
    [
      '- { type: list, values: [{ turns: 3, actors.regulator.model: a }, { turns: 2 }] }',
      ...['4:67', 'nothing says actors.regulator.model; name the same things in every row'],
    ],
    ['- { type: list, values: [{ trns: 3 }] }', '4:', 'there is no key "trns" in scenario.yaml; did you mean "turns"?'],
    ['- { type: list, values: [{ turns: 3 }, { turns: many }] }', '4:49', 'turns'],
    ['- { type: list, values: [3] }', '4:26', 'expected a map such as'],
    ['- { type: list, values: [] }', '4:25', 'the list of values is empty'],
    ['- { type: list, values: [{ turns: 3 }, { turns: 3 }] }', '4:40', '{"turns":3} is listed twice'],
    ['- { type: actor_model, actor: regulator }', '4:3', 'expected a list of values'],
    [
      '- { type: actor_modle, actor: regulator, values: [a] }',
      '4:11',
      'there is no type of variation "actor_modle"; did you mean "actor_model"?',
    ],
    [
      '- { type: actor_model, actor: regulater, values: [a] }',
      '4:31',
      'there is no actor "regulater"; did you mean "regulator"?',
    ],
    [
      '- { type: scenario_parameter, parameter: trns, values: [1] }',
      '4:42',
      'there is no key "trns" in scenario.yaml; did you mean "turns"?',
    ],
    ['- { type: actor_model, actor: regulator, values: [] }', '4:50', 'the list of values is empty'],
    ['- { type: actor_model, actor: regulator, values: [a, a] }', '4:54', '"a" is listed twice'],
    ['- { type: actor_model, values: [a] }', '4:3', 'the actor whose model varies is missing'],
    ['- { type: actor_model, actor: regulator, values: [3] }', '4:51', 'expected the name of a model, got 3'],
    ['- { type: actor_model, actor: regulator, vals: [a] }', '4:42', 'unknown key "vals"; did you mean "values"?'],
    ['- { type: scenario_parameter, parameter: turns, values: [many] }', '4:', 'turns'],
    [
      '- { type: scenario_parameter, actor: regulator, parameter: system_prompt, values: [Be firm.] }',
      '4:31',
      "scenario_parameter has no actor; for a key of an actor's file, write parameter: actors.regulator.<key>",
    ],
    ['- { type: initial_world_state, actor: regulator, values: [Peace.] }', '4:32', 'initial_world_state has no actor'],
    [
      '- { type: actor_model, actor: regulator, parameter: turns, values: [a] }',
      '4:42',
      'actor_model has no parameter',
    ],
  ])('%s is refused with its place', (entry, place, message) => {
    const said = problem(`${head}variations:\n${entry}\n`)
    expect(said).toContain(`batch-config.yaml:${place}`)
    expect(said).toContain(message)
  })

  test('of an unknown type are one error, whatever keys they have', () => {
    const said = problem(`${head}variations:\n  - { type: actor_modle, actor: regulator, values: [a] }\n`)
    expect(said).not.toContain('has no actor')
  })

  test('that set the same key twice are refused', () => {
    const entry = '  - { type: actor_model, actor: regulator, values: [a] }\n'
    expect(problem(`${head}variations:\n${entry}${entry.replace('[a]', '[b]')}`)).toContain(
      'variation 2 varies the same as variation 1',
    )
    expect(problem(`${head}variations:\n${entry}  - { type: actors.regulator.llm_model, values: [b] }\n`)).toContain(
      'variation 2 varies the same as variation 1',
    )
  })
})

describe('mistakes', () => {
  test.each([
    ['total_budget: 3', '"total_budget" is called budget_limit here'],
    ['max_paralel: 3', 'unknown key "max_paralel"; did you mean "max_parallel"?'],
    ['runs_per_variation: 0', 'expected a whole number above 0, got 0'],
    ['cost_per_run_limit: 0', 'leave the key out'],
    ['timeout_per_run: -1', 'timeout_per_run'],
    ['save_individual_runs: maybe', 'expected true or false'],
    ['assay: { limits: { jobs: 7 } }', '3:20  assay.limits.jobs: "jobs" is called max_parallel here'],
    ['assay: { limits: { budget_usd: 7 } }', '"budget_usd" is called budget_limit here'],
    ['runs_per_variation: 3\nassay: { seeds: [1, 2] }', 'runs_per_variation is 3, and these are 2 seeds'],
    ['resume_from: experiments/another', 'a batch continues from its output_dir, but this is another folder'],
  ])('%s is refused', (line, message) => {
    expect(problem(`${head}${line}\n`)).toContain(message)
  })

  test('a missing scenario is named', () => {
    expect(problem('experiment_name: a\nbase_scenario: scenarios/none\n')).toMatch(
      /batch-config.yaml:2:16 {2}base_scenario: .*scenarios\/none.*no such folder/,
    )
  })

  test('a batch of Scenario Lab is not overwritten, and one of assay without its journal is not mistaken for one', () => {
    const batch = { ...project, [file]: guide, 'experiments/my-experiment/batch-state.json': '{}' }
    const from = (files: Readonly<Record<string, string>>) =>
      loadExperiment(file, { targets, overrides: {}, cwd: folderWith({ ...batch, ...files }) })
    expect(errorOf(() => from({})).message).toMatch(
      /batch-config.yaml:16:13 {2}output_dir: this folder has a batch made by Scenario Lab, whose files would be overwritten; choose another/,
    )
    expect(from({ 'experiments/my-experiment/summary.json': '{}' }).name).toBe('Study')
  })

  test('resume_from may name the folder that is resumed anyway', () => {
    for (const from of ['experiments/my-experiment', 'experiments/my-experiment/batch-state.json'])
      expect(load(`${guide}resume_from: ${from}\n`).experiment.name).toBe('Study')
  })
})
