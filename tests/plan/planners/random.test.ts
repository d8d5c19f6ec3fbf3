import { expect, test } from 'vitest'
import { plannerFor, planRuns } from '../../../src/plan/plan.ts'
import { plannerContract } from '../planner-contract.ts'
import { finite, mixed, searching } from '../search/spaces.ts'

const options = { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } } as const

plannerContract('random, a finite space', () => plannerFor(finite(searching('random')), options))
plannerContract('random, a part of a finite space', () =>
  plannerFor(finite(searching('random', { max_runs: 9 })), options),
)
plannerContract('random, a mixed space', () => plannerFor(mixed(searching('random', { max_runs: 31 })), options))

test('a finite space is exhausted when each variant has run in all blocks', () => {
  const runs = [...planRuns(finite(searching('random')), options)]
  expect(runs).toHaveLength(2 * (2 + 2 * 2 + 2 * 3))
  expect(new Set(runs.map(({ params }) => JSON.stringify(params))).size).toBe(12)
})

test('proposes only whole variants, with their replicates', () => {
  const runs = [...planRuns(mixed(searching('random', { max_runs: 31 })), options)]
  expect(runs).toHaveLength(30)
  expect(runs.every((run, index) => run.replicate === (index % 2) + 1)).toBe(true)
  expect(runs.every(({ params }) => (params.kind === 'b') === 'depth' in params)).toBe(true)
})

test('another seed gives other variants; more runs begin with the same ones', () => {
  const keys = (search: Parameters<typeof mixed>[0]) => [...planRuns(mixed(search), options)].map(({ key }) => key)
  const twenty = keys(searching('random', { max_runs: 20 }))
  expect(keys(searching('random', { max_runs: 40 })).slice(0, 20)).toEqual(twenty)
  expect(keys(searching('random', { max_runs: 20, seed: 2 }))).not.toEqual(twenty)
})
