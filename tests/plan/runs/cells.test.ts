import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CellSpec, Experiment, Order } from '../../../src/define/experiment.ts'
import { checkPlan } from '../../../src/plan/plan.ts'
import { planOf } from '../../../src/plan/runs/plan.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { experimentWith, factor } from '../experiment.ts'

const orders: readonly Order[] = ['listed', 'interleaved', 'shuffled']
const runsOf = (experiment: Experiment, order: Order = 'listed', seed = 1) => {
  const plan = planOf(experiment, order, seed)
  return Array.from({ length: plan.count }, (_, position) => plan.at(position))
}
const brief = (experiment: Experiment, order: Order = 'listed') =>
  runsOf(experiment, order).map(({ params, block, replicate }) => `${params.policy} ${block.task} ${replicate}`)
const cell = (levels: JsonObject, replicates = 1): CellSpec => ({ levels, replicates })
const benchmark = (cells: readonly CellSpec[]): Experiment =>
  experimentWith({
    factors: [factor('policy', ['fifo', 'full'])],
    blocks: [{ name: 'task', levels: ['t1', 't2', 't3'] }],
    cells,
  })

describe('the runs of listed cells', () => {
  test('are the listed ones, each as often as it says', () => {
    const listed = benchmark([
      cell({ policy: 'fifo', task: 't1' }, 2),
      cell({ policy: 'full', task: 't1' }, 3),
      cell({ policy: 'full', task: 't3' }),
    ])
    expect(brief(listed)).toEqual(['fifo t1 1', 'fifo t1 2', 'full t1 1', 'full t1 2', 'full t1 3', 'full t3 1'])
    expect(planOf(listed, 'listed', 1)).toMatchObject({ count: 6, variants: 2 })
  })

  test('cross factors that an entry does not name, and accept lists', () => {
    expect(brief(benchmark([cell({ task: 't2' }, 2)]))).toEqual(['fifo t2 1', 'fifo t2 2', 'full t2 1', 'full t2 2'])
    expect(brief(benchmark([cell({ policy: 'full', task: ['t1', 't3'] })]))).toEqual(['full t1 1', 'full t3 1'])
  })

  test('a full cross as cells is the full cross, in each order', () => {
    const crossed = { ...benchmark([]), cells: undefined, replicates: 3 }
    const identity = (experiment: Experiment, order: Order) =>
      runsOf(experiment, order).map(({ key, seed }) => `${key} ${seed}`)
    for (const order of orders) expect(identity(benchmark([cell({}, 3)]), order)).toEqual(identity(crossed, order))
  })

  test('interleaved: all first replicates before the second ones, block by block', () => {
    const uneven = benchmark([cell({ policy: 'fifo' }, 2), cell({ policy: 'full', task: ['t1', 't2'] }, 4)])
    const rounds = runsOf(uneven, 'interleaved').map(({ block, replicate }) => `${replicate} ${block.task}`)
    expect(rounds).toEqual([
      ...['1 t1', '1 t1', '1 t2', '1 t2', '1 t3'],
      ...['2 t1', '2 t1', '2 t2', '2 t2', '2 t3'],
      ...['3 t1', '3 t2', '4 t1', '4 t2'],
    ])
  })

  test('every order has the same runs, whichever cells there are', () => {
    const some = fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 })
    const withReplicates = some.chain(places =>
      fc.tuple(...places.map(place => fc.record({ place: fc.constant(place), times: fc.integer({ min: 1, max: 5 }) }))),
    )
    const [policies, tasks] = [
      ['fifo', 'full'],
      ['t1', 't2', 't3'],
    ]
    fc.assert(
      fc.property(withReplicates, fc.integer(), (chosen, seed) => {
        const experiment = benchmark(
          chosen.map(({ place, times }) =>
            cell({ policy: policies[place % 2] ?? '', task: tasks[place % 3] ?? '' }, times),
          ),
        )
        const keys = orders.map(order => runsOf(experiment, order, seed).map(({ key }) => key))
        expect(new Set(keys[0]).size).toBe(chosen.reduce((sum, { times }) => sum + times, 0))
        for (const other of keys) expect(other.toSorted()).toEqual(keys[0]?.toSorted())
      }),
    )
  })

  test('an added replicate is another run, and the others keep name and seed', () => {
    const before = runsOf(benchmark([cell({ policy: 'fifo', task: 't1' })]))
    const after = runsOf(benchmark([cell({ policy: 'fifo', task: 't1' }, 2)]))
    expect(after[0]).toEqual(before[0])
    expect(after).toHaveLength(2)
  })

  test('a million cells are counted and entered anywhere', () => {
    const range = Array.from({ length: 1000 }, (_, index) => index)
    const large = experimentWith({
      factors: [factor('a', range)],
      blocks: [{ name: 'task', levels: range }],
      cells: [cell({ a: range.slice(0, 500) }, 2), cell({ a: range.slice(500) }, 1)],
    })
    const plan = planOf(large, 'interleaved', 1)
    expect(plan.count).toBe(1_500_000)
    expect(plan.at(999_999)).toMatchObject({ block: { task: 999 }, replicate: 1 })
    expect(plan.at(1_000_000)).toMatchObject({ block: { task: 0 }, replicate: 2 })
  })
})

describe('mistakes in cells are reported with their place', () => {
  const problems = (cells: readonly CellSpec[], more: Partial<Experiment> = {}) =>
    checkPlan({ ...benchmark(cells), ...more }).map(({ path, message }) => `${path.join('.')}: ${message}`)

  test('a cell that is listed twice', () => {
    const twice = [cell({ policy: 'fifo', task: 't1' }), cell({ task: 't1' })]
    expect(problems(twice)).toEqual(['cells.1: policy=fifo, task=t1 is listed already, in entry 1'])
    expect(problems([cell({ task: ['t1', 't1'] })])).toEqual(['cells.0: policy=fifo, task=t1 is listed twice here'])
  })

  test('a factor or level that does not exist', () => {
    expect(problems([cell({ polcy: 'fifo' }), cell({ task: 't4' })])).toEqual([
      'cells.0.polcy: there is no factor or block polcy',
      'cells.1.task: task is never "t4"',
    ])
  })

  test('a variant that is excluded', () => {
    expect(problems([cell({ policy: 'full' })], { exclude: [{ policy: 'full' }] })).toEqual([
      'cells.0: no variant has policy=full',
    ])
  })

  test('no cells at all', () => {
    expect(problems([])).toEqual(['cells: no cells are listed, so nothing would be run'])
  })
})
