import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plannerFor, planRuns } from '../../../src/plan/plan.ts'
import type { Selection } from '../../../src/plan/planner.ts'
import { AssayError } from '../../../src/util/errors.ts'
import { experimentWith, factor } from '../experiment.ts'

const experiment = experimentWith({
  params: { rate: 0.5 },
  factors: [
    factor('policy', ['full', 'cheap', 'fifo']),
    factor('workflows', [50, 100], "policy != 'fifo'"),
    factor('deep', [{ name: 'a,b' }, true]),
  ],
  blocks: [{ name: 'seed', levels: [1, 2, 3] }],
  replicates: 2,
})
const options = (selection: Partial<Selection>) => ({
  order: 'interleaved' as const,
  seed: 1,
  selection: { filters: [], first: null, shard: null, ...selection },
})
const select = (selection: Partial<Selection>) => [...planRuns(experiment, options(selection))]
const all = select({})
const count = (...filters: string[]) => select({ filters }).length

test('without a selection there is everything', () => {
  expect(all).toHaveLength(60)
  expect(plannerFor(experiment, options({})).count()).toBe(60)
})

test.each([
  ['policy=full', 24],
  ['policy = full , fifo', 36],
  ['policy!=full', 36],
  ["policy='full'", 24],
  ['workflows=50', 24],
  ['workflows=5e1', 24],
  ['workflows=null', 12],
  ['deep=true', 30],
  ['seed=1', 20],
  ['seed != 1', 40],
  ['seed=1..2', 40],
  ['seed=1,3..9', 40],
  ['workflows=40..60', 24],
  ['replicate=2', 30],
  ['rate=0.5', 60],
  ['workflows > 50', 24],
  ["workflows >= 50 and policy in ['full'] and seed < 3", 16],
  ["deep.name == 'a,b'", 30],
])('%s selects %i runs', (filter, expected) => {
  expect(count(filter)).toBe(expected)
  expect(plannerFor(experiment, options({ filters: [filter] })).count()).toBe(expected)
})

test('all filters must hold, and a run can be named', () => {
  expect(count('policy=full', 'workflows=50')).toBe(12)
  expect(select({ filters: [`run=${all[7]?.name}`] })).toEqual([all[7]])
  expect(select({ filters: [`name=${all[7]?.name}`] })).toEqual([all[7]])
})

test('a selection keeps the order, and first takes the first of what is left', () => {
  const chosen = select({ filters: ['policy=cheap'], first: 5 })
  expect(chosen).toEqual(all.filter(({ params }) => params.policy === 'cheap').slice(0, 5))
  expect(plannerFor(experiment, options({ first: 5 })).count()).toBe(5)
  expect(select({ first: 100 })).toEqual(all)
})

test('shards are a partition', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), shards => {
      const parts = Array.from({ length: shards }, (_, at) => select({ shard: { index: at + 1, count: shards } }))
      const keys = parts.flat().map(({ key }) => key)
      expect(keys.toSorted()).toEqual(all.map(({ key }) => key).toSorted())
    }),
  )
})

describe('mistakes', () => {
  const mistake = (selection: Partial<Selection>) => {
    try {
      select(selection)
    } catch (error) {
      if (error instanceof AssayError) return `${error.code}: ${error.message}\n${error.hint}`
      throw error
    }
    throw new Error('no mistake found')
  }
  test('an unknown field', () => {
    expect(mistake({ filters: ['polcy=full'] })).toMatchInlineSnapshot(`
      "usage: the filter polcy=full asks for polcy, which no run has
      Did you mean policy?"
    `)
    expect(mistake({ filters: ['color=red'] })).toMatchInlineSnapshot(`
      "usage: the filter color=red asks for color, which no run has
      Runs have: policy, workflows, deep, rate, ablation, seed, replicate, name, run."
    `)
    expect(mistake({ filters: ['workflow > 5'] })).toMatchInlineSnapshot(`
      "config: there is no parameter workflow
        workflow > 5
        ^
      Did you mean workflows?"
    `)
  })
  test('two languages at once', () => {
    expect(mistake({ filters: ['policy=full and workflows=50'] })).toMatchInlineSnapshot(`
      "usage: the filter policy=full and workflows=50 mixes name=value with an expression
      Give --filter twice, or write an expression: policy == 'full' and workflows == 50."
    `)
  })
  test('nothing matches', () => {
    expect(mistake({ filters: ['policy=ful', 'workflows=50'] })).toMatchInlineSnapshot(`
      "usage: no run matches all filters
        policy=ful (removes 60 of 60 runs)
        workflows=50 (removes 36 of 60 runs)
      See what there is with: assay plan."
    `)
  })
  test('a shard that does not exist', () => {
    expect(mistake({ shard: { index: 0, count: 4 } })).toMatchInlineSnapshot(`
      "usage: there is no shard 0/4
      Shards count from 1: 1/4, 2/4, 3/4, 4/4."
    `)
  })
})
