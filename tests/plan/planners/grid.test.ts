import { expect, test } from 'vitest'
import type { Order } from '../../../src/define/experiment.ts'
import { plannerFor } from '../../../src/plan/plan.ts'
import type { Selection } from '../../../src/plan/planner.ts'
import { experimentWith, factor } from '../experiment.ts'
import { plannerContract } from '../planner-contract.ts'

const experiment = experimentWith({
  factors: [factor('a', [1, 2, 3]), factor('b', ['x', 'y'], 'a > 1')],
  blocks: [{ name: 'task', levels: ['t', 'u'] }],
  replicates: 2,
})
const everything: Selection = { filters: [], first: null, shard: null }
const make = (order: Order, selection: Partial<Selection> = {}) =>
  plannerFor(experiment, { order, seed: 1, selection: { ...everything, ...selection } })

plannerContract('grid, listed', () => make('listed'))
plannerContract('grid, interleaved', () => make('interleaved'))
plannerContract('grid, shuffled', () => make('shuffled'))
plannerContract('grid, filtered', () => make('shuffled', { filters: ['a=2,3', "task == 'u'"] }))
plannerContract('grid, first', () => make('interleaved', { first: 5 }))
plannerContract('grid, shard', () => make('interleaved', { shard: { index: 1, count: 2 }, first: 3 }))

test('proposals have an origin, and the state is a number', () => {
  const planner = make('listed')
  const answer = planner.ask(planner.start(), 1)
  expect(answer).toMatchObject({ state: 1, runs: [{ why: 'grid', run: { params: { a: 1 }, block: { task: 't' } } }] })
})
