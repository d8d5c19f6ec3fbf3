import { expect, test } from 'vitest'
import type { Experiment } from '../../src/define/experiment.ts'
import { planHash } from '../../src/plan/identity.ts'
import type { PlannerOptions } from '../../src/plan/planner.ts'
import { experimentWith, factor } from './experiment.ts'

const base = experimentWith({ factors: [factor('a', [1, 2])], blocks: [{ name: 'task', levels: ['t'] }] })
const options: PlannerOptions = { order: 'listed', seed: 0, selection: { filters: [], first: null, shard: null } }
const hashWith = (parts: Partial<Experiment>, more: Partial<PlannerOptions> = {}) =>
  planHash({ ...base, ...parts }, { ...options, ...more })

/** A change of every field: a new one must say on which side it is. */
const planned = {
  params: { x: 1 },
  factors: [factor('a', [1, 2, 3])],
  zip: [[factor('b', [1]), factor('c', [1])]],
  include: [{ a: 3 }],
  exclude: [{ a: 1 }],
  ablations: [{ name: 'off', flags: ['--off'], set: {} }],
  contents: { task: { t: 'digest' } },
  constraints: ['a > 1'],
  blocks: [{ name: 'task', levels: ['t', 'u'] }],
  replicates: 2,
  cells: [{ levels: { a: 1 }, replicates: 3 }],
  search: {
    ...{ method: 'random', metric: null, goal: null, also: [], max_runs: 3, seed: null },
    ...{ impute: 'worst', initial: null, early_stop: null },
  },
  planners: [{ path: './p.ts', sha256: 'digest' }],
  stoppers: [{ path: './s.ts', sha256: 'digest' }],
  dialect: 'matrix-json',
  seed: 7,
  naming: { kind: 'template', template: '{a}' },
} satisfies Partial<Experiment>

const unplanned: { readonly [K in Exclude<keyof Experiment, keyof typeof planned>]-?: Experiment[K] } = {
  name: 'other',
  description: 'other',
  file: '/other.yaml',
  folder: '/other',
  out_root: 'other',
  directory: { kind: 'dated' },
  target: { kind: 'other' },
  targets: [{ path: './t.ts', sha256: 'digest' }],
  metric_sources: [{ path: './m.ts', sha256: 'digest' }],
  order: 'shuffled',
  limits: { ...base.limits, jobs: 7, budget_usd: 3 },
  models: { m: { price: 'free' } },
  calls: undefined,
  metrics: [{ name: 'm', goal: 'minimize', primary: true, source: { kind: 'reported' } }],
  analysis: { baseline: { a: 1 } },
  inputs: ['data.csv'],
  outputs: [{ path: 'out.csv', required: true }],
  hooks: { setup: 'true', cleanup: null },
  record_env: ['HOME'],
  python: { spelling: {}, floats: [], nested: {} },
  notes: ['a note'],
  kept: { runs: 'failed', analysis: true },
  needs: { cpu: 1, memory_mb: 0, gpu: 1, labels: ['docker'] },
}

test.each(Object.keys(planned))('a change of %s is another plan', field => {
  expect(hashWith({ [field]: planned[field as keyof typeof planned] })).not.toBe(hashWith({}))
})

test.each(Object.keys(unplanned))('a change of %s is the same plan', field => {
  expect(hashWith({ [field]: unplanned[field as keyof typeof unplanned] })).toBe(hashWith({}))
})

test('the selection of a call is part of its plan', () => {
  const others: Partial<PlannerOptions>[] = [
    { order: 'shuffled' },
    { seed: 2 },
    { selection: { filters: ['a=1'], first: null, shard: null } },
  ]
  for (const other of others) expect(hashWith({}, other)).not.toBe(hashWith({}))
})

test('the name is part of the plan if runs are named after it', () => {
  const naming = { kind: 'template', template: '{name}.{a}' } as const
  expect(hashWith({ naming, name: 'other' })).not.toBe(hashWith({ naming }))
})

test('plans of older journals keep their hash', () => {
  expect(hashWith({})).toMatchInlineSnapshot(`"d53a0653db751695e775e58ce77ff83a456e91f056cf4ba2fefd28320071de2f"`)
})
