import { describe, expect, test } from 'vitest'
import { matrixRunName } from '../../../../src/define/dialects/matrix-json/run-name.ts'
import { planOf } from '../../../../src/plan/runs/plan.ts'
import { experimentWith, factor } from '../../../plan/experiment.ts'

const common = {
  enable_model_routing: true,
  heavy_tail_mult: 50,
  heavy_tail_prob: 0.02,
  iters: 3,
  pdfs: 10,
  subqueries: 4,
  time_scale: 50,
}
const smoke = experimentWith({
  params: common,
  factors: [factor('policy', ['fifo_cheapest', 'full']), factor('workflows', [5])],
  ablations: [
    { name: 'baseline', flags: [], set: {} },
    { name: 'no_hedge', flags: ['--disable_hedging'], set: {} },
  ],
  blocks: [{ name: 'seed', levels: [1, 2] }],
  dialect: 'matrix-json',
  naming: { kind: 'matrix-json', spelling: {} },
})

test('the runs of smoke.json have Cascade’s names, in its order', () => {
  const plan = planOf(smoke, 'listed', 0)
  expect(Array.from({ length: plan.count }, (_, at) => plan.at(at).name)).toEqual([
    'fifo_cheapest__wf5__seed1__baseline__c9768924ff6b',
    'fifo_cheapest__wf5__seed1__no_hedge__34d4a264e819',
    'fifo_cheapest__wf5__seed2__baseline__3282381ea875',
    'fifo_cheapest__wf5__seed2__no_hedge__d896f4988e7f',
    'full__wf5__seed1__baseline__fcdc4023c8cf',
    'full__wf5__seed1__no_hedge__d85f95cd9565',
    'full__wf5__seed2__baseline__901b070138c8',
    'full__wf5__seed2__no_hedge__ff5d8334433a',
  ])
  expect(plan.at(0).params).toEqual({ ...common, policy: 'fifo_cheapest', workflows: 5, seed: 1 })
})

describe('one name', () => {
  const run = {
    params: { ...common, policy: 'full', workflows: 5, seed: 1 },
    ablation: 'baseline',
    flags: [],
    replicate: 1,
  }

  test('50 and 50.0 are different, as they are in Python', () => {
    expect(matrixRunName(run, { time_scale: { '50': '50.0' } })).not.toBe(matrixRunName(run, {}))
    expect(matrixRunName(run, { time_scale: { '51': '51.0' } })).toBe(matrixRunName(run, {}))
  })

  test('keeps letters of any script, and replaces other characters by underscores', () => {
    const odd = { ...run, params: { ...run.params, policy: ' fülle/2! ' }, ablation: '(ohne)' }
    expect(matrixRunName(odd, {})).toMatch(/^fülle_2__wf5__seed1__ohne__[0-9a-f]{12}$/)
  })

  test('omits missing parts, and distinguishes replicates', () => {
    expect(matrixRunName({ ...run, params: { seed: 1 }, ablation: null, replicate: 2 }, {})).toMatch(
      /^seed1__baseline__replicate2__[0-9a-f]{12}$/,
    )
  })
})

test('50 and 50.0 are different runs, as in Cascade', () => {
  const spelt = { time_scale: { '50': '50.0' } }
  const other = experimentWith({ ...smoke, naming: { kind: 'matrix-json', spelling: spelt } })
  const [one, another] = [smoke, other].map(experiment => planOf(experiment, 'listed', 0).at(0))
  expect(another?.name).not.toBe(one?.name)
  expect(another?.key).not.toBe(one?.key)
})

test('a name too long for file systems is cut before its hash', () => {
  const named = (policy: string) =>
    matrixRunName({ params: { policy, workflows: 5 }, ablation: null, flags: [], replicate: 1 }, {})
  const [one, other] = [named('é'.repeat(200)), named(`${'é'.repeat(200)}x`)]
  expect(Buffer.byteLength(one)).toBeLessThanOrEqual(255)
  expect(one).toMatch(/^é+__[0-9a-f]{12}$/)
  expect(other).not.toBe(one)
})
