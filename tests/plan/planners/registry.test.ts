import { expect, test } from 'vitest'
import { plannerFor, planRuns } from '../../../src/plan/plan.ts'
import { plannedRuns } from '../../../src/plan/planner.ts'
import { finite, searching } from '../search/spaces.ts'

const everything = { filters: [], first: null, shard: null }
const options = { order: 'listed', seed: 1, selection: everything } as const

test('a grid may be cut short, in its own order', () => {
  const { search: _, ...whole } = finite(searching('grid'))
  const all = [...planRuns(whole, options)]
  const some = [...plannedRuns(plannerFor(finite(searching('grid', { max_runs: 5 })), options))]
  expect(some).toEqual(all.slice(0, 5))
  expect(plannerFor(finite(searching('grid')), options).count()).toBe(all.length)
})

test('a search supports --first, but neither filters nor shards', () => {
  const withSelection = (selection: object) =>
    plannerFor(finite(searching('bayes')), { ...options, selection: { ...everything, ...selection } })
  expect(() => withSelection({ filters: ['kind=a'] })).toThrow("--filter can't be used with a bayes search")
  expect(() => withSelection({ shard: { index: 1, count: 2 } })).toThrow("--shard can't be used with a bayes search")
  expect([...plannedRuns(withSelection({ first: 3 }))]).toHaveLength(3)
})
