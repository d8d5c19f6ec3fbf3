import { describe, expect, it } from 'vitest'
import { median } from '../../../src/plan/stoppers/median.ts'
import { complete, series } from './series.ts'

describe('median', () => {
  const stop = median({ type: 'median', min_iter: 2, min_runs: 3 }, 'minimize')
  const rivals = [complete('a', [4, 2, 0]), complete('b', [6, 4, 2]), complete('c', [8, 6, 4])]

  it('stops a run whose best is worse than the median of running means', () => {
    expect(stop([series('d', [7, 5.5])], rivals)).toEqual([
      { run: 'd', reason: "median, iteration 2: best 5.5 against 5, the median of 3 complete runs' means up to there" },
    ])
    expect(stop([series('d', [7, 5])], rivals)).toEqual([])
  })

  it('averages the two middle values', () => {
    expect(stop([series('d', [7, 5.5])], [...rivals, complete('e', [9, 9])])).toEqual([])
    expect(stop([series('d', [7, 6.5])], [...rivals, complete('e', [9, 9])])).toHaveLength(1)
  })

  it('waits for enough complete runs and iterations; stopped and failed runs do not count', () => {
    expect(stop([series('d', [9, 9])], rivals.slice(1))).toEqual([])
    expect(stop([series('d', [9])], rivals)).toEqual([])
    const notComplete = rivals.map(one => ({ ...one, isComplete: false }))
    expect(stop([series('d', [9, 9])], notComplete)).toEqual([])
  })
})
