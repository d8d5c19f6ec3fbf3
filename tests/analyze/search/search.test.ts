import { describe, expect, test } from 'vitest'
import { importances, parallelCoordinates } from '../../../src/analyze/search/importances.ts'
import { bestSoFar, paretoFront, trialsOf } from '../../../src/analyze/search/trials.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { seededRandom } from '../../../src/util/random.ts'

const loss = { metric: 'loss', goal: 'minimize' } as const
const run = (params: JsonObject, metrics: { [metric: string]: number } | null) => ({
  params,
  outcome: { kind: metrics === null ? ('failed' as const) : ('completed' as const) },
  metrics: metrics ?? {},
})

describe('what a search found', () => {
  test('runs of one variant are one trial, with the mean and its standard error', () => {
    const trials = trialsOf([
      run({ x: 1 }, { loss: 2 }),
      run({ x: 2 }, { loss: 7 }),
      run({ x: 1 }, { loss: 4 }),
      run({ x: 2 }, null),
    ])
    expect(trials).toEqual([
      { number: 1, params: { x: 1 }, values: { loss: 3 }, errors: { loss: 1 }, runs: 2, failed: 0 },
      { number: 2, params: { x: 2 }, values: { loss: 7 }, errors: {}, runs: 2, failed: 1 },
    ])
  })

  test('the history has the best so far; failures do not change it', () => {
    const trials = trialsOf([5, null, 3, 4].map((value, x) => run({ x }, value === null ? null : { loss: value })))
    expect(bestSoFar(trials, loss).map(({ best }) => best)).toEqual([5, 5, 3, 3])
    expect(bestSoFar(trials, { ...loss, goal: 'maximize' }).map(({ isBest }) => isBest)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('the front contains trials that no other beats in both objectives', () => {
    const points = [
      [1, 5],
      [2, 2],
      [3, 3],
      [5, 1],
      [2, 4],
      [1, 6],
    ] as const
    const trials = trialsOf(points.map(([loss, cost], x) => run({ x }, { loss, cost })))
    const front = paretoFront(trials, [loss, { metric: 'cost', goal: 'minimize' }])
    expect(front.map(({ values }) => [values.loss, values.cost])).toEqual([
      [1, 5],
      [2, 2],
      [5, 1],
    ])
    expect(paretoFront(trials, [loss, { metric: 'cost', goal: 'maximize' }]).map(({ params }) => params.x)).toEqual([5])
  })

  test.each([2, 3])('the front of %i objectives agrees with pairwise comparison, ties included', count => {
    const random = seededRandom(7)
    const metrics = ['loss', 'cost', 'size'].slice(0, count)
    const drawn = Array.from({ length: 300 }, (_, x) =>
      run({ x }, Object.fromEntries(metrics.map(name => [name, random.integer(0, 11)]))),
    )
    const trials = trialsOf(drawn)
    const objectives = metrics.map(metric => ({ metric, goal: 'minimize' as const }))
    const costs = ({ values }: (typeof trials)[number]) => metrics.map(name => values[name] ?? 0)
    const beats = (a: readonly number[], b: readonly number[]) =>
      a.every((cost, at) => cost <= (b[at] ?? 0)) && a.some((cost, at) => cost < (b[at] ?? 0))
    const expected = trials
      .filter(own => !trials.some(other => beats(costs(other), costs(own))))
      .toSorted((a, b) => (a.values.loss ?? 0) - (b.values.loss ?? 0))
    expect(paretoFront(trials, objectives)).toEqual(expected)
  })

  test('finds a front of a hundred thousand', () => {
    const trials = Array.from({ length: 100_000 }, (_, x) => ({ values: { loss: x, cost: -x } }))
    expect(paretoFront(trials, [loss, { metric: 'cost', goal: 'minimize' }])).toHaveLength(100_000)
  })

  test('parallel coordinates: an axis for each varying parameter, null if it does not apply', () => {
    const trials = trialsOf([
      run({ kind: 'a', rate: 0.0001, fixed: 1 }, { loss: 1 }),
      run({ kind: 'b', rate: 0.1, fixed: 1, depth: 3 }, { loss: 2 }),
    ])
    expect(parallelCoordinates(trials, loss)).toEqual({
      axes: [
        { name: 'kind', kind: 'choice', levels: ['a', 'b'] },
        { name: 'rate', kind: 'number', min: 0.0001, max: 0.1, isLog: true },
        { name: 'depth', kind: 'number', min: 3, max: 3, isLog: false },
        { name: 'loss', kind: 'number', min: 1, max: 2, isLog: false },
      ],
      rows: [
        { number: 1, values: ['a', 0.0001, null, 1] },
        { number: 2, values: ['b', 0.1, 3, 2] },
      ],
    })
  })
})

describe('importances', () => {
  const random = seededRandom(3)
  const sample = Array.from({ length: 200 }, () => ({
    x: random.next(),
    y: random.next(),
    kind: random.next() < 0.5 ? 'a' : 'b',
    idle: random.next(),
  }))

  test('follow the shares of variance of a known function', () => {
    // Variances 1/12, 0.25/12 and 0.04/4: shares 0.73, 0.18 and 0.09.
    const trials = trialsOf(
      sample.map(params => run(params, { loss: params.x + 0.5 * params.y + (params.kind === 'a' ? 0.2 : 0) })),
    )
    const found = importances(trials, loss)
    expect(found.map(({ parameter }) => parameter)).toEqual(['x', 'y', 'kind', 'idle'])
    const [x, y, kind, idle] = found.map(({ share }) => share)
    expect(Math.abs((x ?? 0) - 0.73)).toBeLessThan(0.12)
    expect(Math.abs((y ?? 0) - 0.18)).toBeLessThan(0.08)
    expect(Math.abs((kind ?? 0) - 0.09)).toBeLessThan(0.05)
    expect(idle).toBeLessThan(0.02)
  })

  test('are deterministic, and missing without enough data', () => {
    const trials = trialsOf(sample.slice(0, 30).map(params => run(params, { loss: params.x })))
    expect(importances(trials, loss)).toEqual(importances(trials, loss))
    expect(importances(trials.slice(0, 5), loss)).toEqual([])
    expect(importances(trialsOf(sample.map(params => run(params, { loss: 1 }))), loss)).toEqual([])
  })
})
