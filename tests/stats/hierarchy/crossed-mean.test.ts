import { expect, it } from 'vitest'
import { noncentralTSurvival } from '../../../src/stats/distributions/noncentral-t.ts'
import { studentTUpperQuantile } from '../../../src/stats/distributions/student-t.ts'
import { crossedComponents } from '../../../src/stats/hierarchy/crossed-components.ts'
import { type CrossedCell, crossedMean } from '../../../src/stats/hierarchy/crossed-mean.ts'
import { crossedPower } from '../../../src/stats/hierarchy/crossed-test.ts'
import { given } from '../close.ts'

const scores = [
  [3, 5, 4],
  [1, 4, 2],
  [6, 8, 9],
  [2, 3, 1],
]
const cells = scores.flatMap((own, row) => own.map((value, column): CrossedCell => ({ row, column, value })))

it('has the components of a complete table', () => {
  const found = given(crossedMean(cells))
  const components = given(crossedComponents(scores.map(row => row.map(value => [value]))))
  expect(found.estimate).toBeCloseTo(components.grandMean, 12)
  expect(found.columnSd ** 2).toBeCloseTo(components.seed, 12)
  expect(found.standardError).toBeCloseTo(given(components.standardError), 12)
  expect(found.columns.reduce((sum, value) => sum + value, 0) / 3).toBeCloseTo(found.estimate, 12)
})

it('is the same for the transposed table', () => {
  const turned = given(crossedMean(cells.map(({ row, column, value }) => ({ row: column, column: row, value }))))
  const found = given(crossedMean(cells))
  expect(turned.standardError).toBeCloseTo(found.standardError, 12)
  expect(turned.df).toBeCloseTo(found.df, 12)
})

it('excludes rows missing in a column', () => {
  // Additive without noise: whatever is missing, the columns differ by 10 and 20.
  const additive = scores.flatMap((_, row) =>
    [0, 10, 20].map((shift, column) => ({ row, column, value: 7 * row * row + shift })),
  )
  const some = additive.filter(({ row, column }) => !(row === 3 && column > 0) && !(row === 0 && column === 0))
  const [first = 0, second = 0, third = 0] = given(crossedMean(some)).columns
  expect(second - first).toBeCloseTo(10, 8)
  expect(third - first).toBeCloseTo(20, 8)
})

it('needs two rows, two columns and residual degrees of freedom', () => {
  const few = (list: readonly (readonly [number, number, number])[]) =>
    crossedMean(list.map(([row, column, value]) => ({ row, column, value })))
  expect(
    few([
      [0, 0, 1],
      [0, 1, 2],
    ]),
  ).toEqual({ unavailable: 'too_few_values' })
  expect(
    few([
      [0, 0, 1],
      [1, 0, 2],
    ]),
  ).toEqual({ unavailable: 'too_few_values' })
  expect(
    few([
      [0, 0, 1],
      [1, 1, 2],
      [1, 0, 4],
    ]),
  ).toEqual({ unavailable: 'too_few_values' })
  expect(
    few([
      [0, 0, 1],
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 1],
    ]),
  ).toEqual({ unavailable: 'zero_variance' })
})

it('the power of crossed blocks is that of a t test if only the levels vary', () => {
  const design = { units: 60, levels: 4, parts: { rows: 1e-9, columns: 1, error: 1e-9 } }
  const stated = crossedPower([design], { alpha: 0.05, alternative: 'greater' })
  const line = studentTUpperQuantile(0.05, 3)
  for (const difference of [1, 3, 4])
    expect(Math.abs(stated(difference) - noncentralTSurvival(line, 3, difference))).toBeLessThan(0.0005)
})
