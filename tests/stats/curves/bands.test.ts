import { expect, test } from 'vitest'
import { onCommonGrid } from '../../../src/stats/curves/common-grid.ts'
import { pointwiseBand, simultaneousBand } from '../../../src/stats/curves/curve-band.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'

test('series logged at different steps are compared on the steps that all cover', () => {
  const sparse = { steps: [0, 10], values: [0, 10] }
  const dense = { steps: [2, 3, 5, 20], values: [4, 6, 10, 10] }
  expect(onCommonGrid([sparse, dense], 3)).toEqual({
    steps: [2, 6, 10],
    rows: [
      [2, 6, 10],
      [4, 10, 10],
    ],
  })
})

test('series that do not overlap, or are empty, give a reason', () => {
  const early = { steps: [0, 1], values: [0, 0] }
  const late = { steps: [5, 6], values: [0, 0] }
  expect(onCommonGrid([early, late])).toEqual({ unavailable: 'no_overlap' })
  expect(onCommonGrid([])).toEqual({ unavailable: 'no_data' })
  expect(onCommonGrid([early, { steps: [], values: [] }])).toEqual({ unavailable: 'no_data' })
})

const seeds = {
  steps: [1, 2, 3],
  rows: Array.from({ length: 12 }, (_, seed) => [Math.sin(seed), Math.sin(3 * seed) + 1, Math.cos(5 * seed) + 2]),
}

test('pointwise bounds are t intervals of the mean at each step', () => {
  // t(0.975, 1) = 12.706…; mean 2, standard error 1.
  const band = pointwiseBand({ steps: [7], rows: [[1], [3]] })
  expect(band).toMatchObject({ means: [2], bounds: [{ low: expect.closeTo(2 - 12.7062047, 6) }] })
})

test('a band for the whole curve is wider than one for a single step', () => {
  const narrow = pointwiseBand(seeds)
  const wide = simultaneousBand(seeds, { random: counterRandom(1), resamples: 4000 })
  if (!isAvailable(narrow) || !isAvailable(wide)) throw new Error('no band')
  wide.bounds.forEach((bound, at) => {
    const single = narrow.bounds[at]
    if (!isAvailable(bound) || single === undefined || !isAvailable(single)) throw new Error('no bounds')
    expect(bound.high - bound.low).toBeGreaterThan(single.high - single.low)
  })
})

test('one seed has no band, and neither do steps at which all seeds agree', () => {
  expect(pointwiseBand({ steps: [1], rows: [[1]] })).toEqual({ unavailable: 'too_few_values' })
  const flat = pointwiseBand({
    steps: [0, 1],
    rows: [
      [0, 1],
      [0, 2],
    ],
  })
  expect(flat).toMatchObject({ bounds: [{ unavailable: 'zero_variance' }, { low: expect.any(Number) }] })
})

test('reads series with the same few steps at these steps alone', () => {
  const turns = [1, 2, 3]
  const rows = [
    [0, 0, 1],
    [0, 1, 1],
  ]
  expect(onCommonGrid(rows.map(values => ({ steps: turns, values })))).toEqual({ steps: turns, rows })
  const many = Array.from({ length: 101 }, (_, at) => at)
  expect(onCommonGrid([{ steps: many, values: many }])).toMatchObject({ steps: { length: 100 } })
})
