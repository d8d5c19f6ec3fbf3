import { describe, expect, it } from 'vitest'
import { readingOf } from '../../../src/analyze/reading.ts'
import { rankedVariants, worthText } from '../../../src/analyze/search/trials.ts'
import { type Evidence, type Observation, observed } from '../../../src/define/observation.ts'
import type { JsonObject } from '../../../src/util/json.ts'

const run = (params: JsonObject, seed: number, loss: number | null): Observation =>
  observed({
    name: `${JSON.stringify(params)}-${seed}`,
    params,
    block: { seed },
    outcome: { kind: loss === null ? 'failed' : 'completed' },
    metrics: loss === null ? {} : { loss },
  })

const evidence = (runs: readonly Observation[]): Evidence => ({
  runs,
  metrics: [{ name: 'loss', goal: 'minimize', primary: true }],
  blocks: ['seed'],
  factors: ['x'],
  levels: {},
  baseline: null,
  sources: [],
})

const ranked = (runs: readonly Observation[], goal: 'minimize' | 'maximize' = 'minimize') =>
  rankedVariants(evidence(runs), readingOf(evidence(runs), { metric: 'loss', goal }), 9)

it('counts variants that tie with the first', () => {
  expect(ranked([run({ x: 1 }, 1, 3), run({ x: 2 }, 1, 2)]).tied).toBe(0)
  const tied = ranked([run({ x: 1 }, 1, 3), run({ x: 2 }, 1, 2), run({ x: 3 }, 1, 2), run({ x: 4 }, 1, 2)])
  expect(tied).toMatchObject({ tied: 2, best: [{ params: { x: 2 } }, {}, {}, {}] })
  expect(worthText(tied)).toBe(
    '2 other variants came out exactly as good: it is named because it was tried before them.',
  )
  expect(ranked([]).tied).toBe(0)
})

describe('ranked variants', () => {
  const runs = [
    run({ x: 1, c: 0 }, 1, 3),
    run({ x: 2, c: 0 }, 1, 2),
    run({ x: 1, c: 0 }, 2, 5),
    run({ x: 2, c: 0 }, 2, 4),
    run({ x: 3, c: 0, d: 1 }, 1, 0.1),
    run({ x: 3, c: 0, d: 1 }, 2, null),
  ]

  it('come best first by the mean over their runs, numbered as they were tried', () => {
    const { best, runs: each, unit, tried } = ranked(runs)
    expect({ each, unit, tried }).toEqual({ each: 2, unit: 'seed', tried: 3 })
    expect(best.map(({ number, result, units }) => [number, result.mean, units])).toEqual([
      [2, 3, 2],
      [1, 4, 2],
    ])
    expect(ranked(runs, 'maximize').best.map(({ number }) => number)).toEqual([1, 2])
  })

  it('leave out a variant with fewer runs than the others', () => {
    expect(ranked(runs)).toMatchObject({ incomplete: 1 })
  })

  it('show only varying parameters, including those that some variants lack', () => {
    expect(ranked(runs)).toMatchObject({ varying: ['x', 'd'], best: [{ varied: { x: 2 } }, { varied: { x: 1 } }] })
  })

  it('keep the order of trials among equals', () => {
    expect(ranked([run({ x: 5 }, 1, 1), run({ x: 4 }, 1, 1)]).best.map(({ number }) => number)).toEqual([1, 2])
  })

  it('are empty if nothing completed, and a single run has no interval', () => {
    expect(ranked([run({ x: 1 }, 1, null)])).toMatchObject({ best: [], incomplete: 1 })
    expect(ranked([run({ x: 1 }, 1, 2)]).best[0]?.result).toMatchObject({ count: 1, mean: 2, ci: null })
  })
})
