import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadExperiment } from '../../../../src/define/load-experiment.ts'
import { spell } from '../../../../src/define/spelling/spelling.ts'
import { planOf } from '../../../../src/plan/runs/plan.ts'
import { errorOf, folderWith, loadFile, targets } from '../../example.ts'

const smoke = {
  name: 'smoke',
  sim_binary: './build/agent_sched_sim',
  out_root: 'bench_runs',
  common_args: {
    pdfs: 10,
    iters: 3,
    subqueries: 4,
    time_scale: 50,
    enable_model_routing: true,
    heavy_tail_prob: 0.02,
    heavy_tail_mult: 50,
  },
  matrix: {
    workflows: [5],
    policy: ['fifo_cheapest', 'full'],
    seeds: [1, 2],
    ablations: [
      { name: 'baseline', flags: [] },
      { name: 'no_hedge', flags: ['--disable_hedging'] },
    ],
  },
  jobs: 2,
}

const load = (config: object, overrides = {}) => loadFile('smoke.json', JSON.stringify(config), overrides)
const problem = (config: object) => errorOf(() => load(config)).message
const withMatrix = (matrix: object) => ({ ...smoke, matrix: { ...smoke.matrix, ...matrix } })
const withArgs = (args: object) => ({ ...smoke, common_args: { ...smoke.common_args, ...args } })

describe('Cascade’s configuration', () => {
  test('becomes factors in alphabetical order, seeds as blocks, and ablations', () => {
    expect(load(smoke)).toMatchObject({
      name: 'smoke',
      dialect: 'matrix-json',
      factors: [
        { name: 'policy', levels: ['fifo_cheapest', 'full'] },
        { name: 'workflows', levels: [5] },
      ],
      blocks: [{ name: 'seed', levels: [1, 2] }],
      ablations: [
        { name: 'baseline', flags: [], set: {} },
        { name: 'no_hedge', flags: ['--disable_hedging'], set: {} },
      ],
      params: smoke.common_args,
      order: 'interleaved',
      limits: { jobs: 2 },
    })
  })

  test('runs the simulator in the working directory, wherever the file is', () => {
    const cwd = folderWith({ 'bench/experiments/smoke.json': JSON.stringify(smoke) })
    const experiment = loadExperiment('bench/experiments/smoke.json', { targets, cwd })
    expect(experiment.out_root).toBe(join(cwd, 'bench_runs'))
    expect(experiment.target).toEqual({
      kind: 'command',
      command: ['./build/agent_sched_sim'],
      cwd,
      pass_params: {
        order:
          'workflows pdfs iters subqueries policy seed time_scale heavy_tail_prob heavy_tail_mult enable_model_routing'.split(
            ' ',
          ),
        out_dir: '--out_dir',
        switches: ['enable_model_routing'],
      },
    })
  })

  test('has defaults for optional keys', () => {
    const { seeds, ablations, ...matrix } = smoke.matrix
    const experiment = load({ common_args: smoke.common_args, matrix })
    expect(experiment).toMatchObject({
      name: 'smoke',
      target: { command: ['./build/agent_sched_sim'] },
      blocks: [{ name: 'seed', levels: [1] }],
      ablations: [{ name: 'baseline', flags: [] }],
      limits: { jobs: availableParallelism() },
    })
  })

  test('takes the seed from common_args if there are no seeds, and removes it from the constants', () => {
    const experiment = load({ ...withArgs({ seed: 7 }), matrix: { workflows: [5], policy: ['full'] } })
    expect(experiment.blocks).toEqual([{ name: 'seed', levels: [7] }])
    expect(experiment.params).not.toHaveProperty('seed')
  })

  test('prefers a level of the matrix to common_args', () => {
    expect(load(withArgs({ policy: 'x' })).params).not.toHaveProperty('policy')
  })

  test('reads matrix.seed as seeds, which Cascade overwrote', () => {
    const { seeds, ...matrix } = smoke.matrix
    const experiment = load({ ...smoke, matrix: { ...matrix, seed: [3, 4] } })
    expect(experiment.blocks).toEqual([{ name: 'seed', levels: [3, 4] }])
  })

  test('may have keys that Cascade ignores', () => {
    expect(load({ ...smoke, comment: 'for the paper' }).name).toBe('smoke')
  })

  test('may have additional settings under "assay"', () => {
    expect(load({ ...smoke, assay: { limits: { timeout: '5m' } } }).limits).toMatchObject({
      timeout_ms: 300_000,
      jobs: 2,
    })
  })
})

/** The hash that Cascade gives the first run of the policy full with this number of workflows. */
const idOf = (workflows: string): string =>
  hash(
    'sha1',
    `{"ablation_flags":[],"ablation_name":"baseline","params":{"enable_model_routing":true,"heavy_tail_mult":50,"heavy_tail_prob":0.02,"iters":3,"pdfs":10,"policy":"full","seed":1,"subqueries":4,"time_scale":50,"workflows":${workflows}}}`,
    'hex',
  ).slice(0, 12)

describe('spelling', () => {
  const spelt = (parameter: string, written: string) => {
    const text = JSON.stringify(withArgs({ [parameter]: 'HERE' })).replace('"HERE"', written)
    const { naming, params } = loadFile('smoke.json', text)
    return spell(naming, parameter, params[parameter] ?? null)
  }

  test.each([
    ['50', '50'],
    ['50.0', '50.0'],
    ['5e1', '50.0'],
    ['0.00001', '1e-05'],
    ['"text"', 'text'],
    ['true', 'True'],
    ['null', 'None'],
    ['[1, 2.0]', '[1, 2.0]'],
  ])('%s is passed on as %s', (written, text) => expect(spelt('time_scale', written)).toBe(text))

  test('50 and 50.0 in one list are two levels, with names and hashes of their own', () => {
    const written = JSON.stringify(withMatrix({ workflows: [50, 'HERE'] })).replace('"HERE"', '50.0')
    const experiment = loadFile('smoke.json', written)
    const plan = planOf(experiment, 'listed', 0)
    const named = Array.from({ length: plan.count }, (_, at) => plan.at(at)).filter(
      ({ params, ablation }) => params.policy === 'full' && params.seed === 1 && ablation === 'baseline',
    )
    expect(named.map(({ name }) => name)).toEqual([
      `full__wf50__seed1__baseline__${idOf('50')}`,
      `full__wf50.0__seed1__baseline__${idOf('50.0')}`,
    ])
    expect(named.map(({ params }) => spell(experiment.naming, 'workflows', params.workflows ?? null))).toEqual([
      '50',
      '50.0',
    ])
    expect(problem(withMatrix({ workflows: [50, 50] }))).toContain('matrix.workflows.1: 50 is listed twice')
  })

  test('policies, and names and flags of ablations, are text as Python makes it', () => {
    const text = JSON.stringify(
      withMatrix({ policy: [7, true, 'HERE'], ablations: [{ name: 3, flags: ['--level', 2, 'HERE', false] }] }),
    ).replaceAll('"HERE"', '0.50')
    const { factors, ablations } = loadFile('smoke.json', text)
    expect(factors[0]?.levels).toEqual(['7', 'True', '0.5'])
    expect(ablations).toEqual([{ name: '3', flags: ['--level', '2', '0.5', 'False'], set: {} }])
  })

  test('gives the run the identity that Cascade hashes', () => {
    const { naming, params } = load(smoke)
    if (naming.kind !== 'matrix-json') throw new Error('unexpected naming')
    const values = { ...params, policy: 'full', seed: 1, workflows: 5 }
    const texts = Object.entries(values).map(
      ([name, value]) => `"${name}":${naming.spelling[name]?.[JSON.stringify(value)]}`,
    )
    const identity = `{"ablation_flags":[],"ablation_name":"baseline","params":{${texts.sort().join(',')}}}`
    expect(hash('sha1', identity, 'hex').slice(0, 12)).toBe('fcdc4023c8cf')
  })

  test('of a number given with --set is kept', () => {
    const { naming, params } = load(smoke, { set: ['common_args.time_scale=70.0'] })
    expect(params.time_scale).toBe(70)
    expect(spell(naming, 'time_scale', 70)).toBe('70.0')
  })

  test('without a table, a value is written as JavaScript does', () => {
    const slug = { kind: 'slug' } as const
    expect([50.5, true, null, 'a b', [1], { a: 1 }].map(value => spell(slug, 'x', value))).toEqual([
      '50.5',
      'true',
      'null',
      'a b',
      '[1]',
      '{"a":1}',
    ])
  })
})

describe('refuses', () => {
  test.each([
    [withMatrix({ policy: [] }), 'matrix.policy: expected a list with at least one level, got []'],
    [withMatrix({ policy: 'full' }), 'matrix.policy: expected a list with at least one level, got "full"'],
    [withMatrix({ policy: ['a', 'a'] }), 'matrix.policy.1: "a" is listed twice'],
    [withMatrix({ seeds: [1, 1] }), 'matrix.seeds.1: 1 is listed twice'],
    [withMatrix({ seeds: ['1'] }), 'matrix.seeds.0: expected a whole number, got "1"'],
    [withMatrix({ seed: [1] }), 'matrix.seed: both "seed" and "seeds" are given; keep "seeds"'],
    [withMatrix({ ablations: [{ flags: [] }] }), 'matrix.ablations.0.name: missing, expected text'],
    [
      withMatrix({ ablations: [{ name: 'a', flags: '-x' }] }),
      'matrix.ablations.0.flags: expected a list of command-line flags, or null, got "-x"',
    ],
    [
      withMatrix({ ablations: [{ name: 'a', flag: [] }] }),
      'matrix.ablations.0.flag: unknown key "flag"; did you mean "flags"?',
    ],
    [{ ...smoke, job: 2 }, 'job: unknown key "job"; did you mean "jobs"?'],
    [{ ...smoke, jobs: 0 }, 'jobs: expected a whole number above 0, got 0'],
    [{ ...smoke, sim_binary: 'missing' }, 'sim_binary: no such program'],
  ])('%#', (config, message) => expect(problem(config).replace(/^smoke\.json:1:\d+ {2}/, '')).toBe(message))

  test('a run without what the simulator needs', () => {
    const { pdfs, ...common_args } = smoke.common_args
    expect(problem({ ...smoke, common_args })).toContain('the parameter "pdfs" is missing')
  })
})
