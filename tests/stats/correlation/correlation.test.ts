import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kendallCorrelation } from '../../../src/stats/correlation/kendall.ts'
import { pearsonCorrelation } from '../../../src/stats/correlation/pearson.ts'
import { spearmanCorrelation } from '../../../src/stats/correlation/spearman.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'

const x = [3.1, 4.7, 2.2, 9.8, 5.5, 1.4, 7.7]
const y = [1.2, 2.6, 2.1, 3.3, 0.7, 0.9, 3.9]

// The values of scipy 1.10 for these seven pairs.
test('straight, monotone and pairwise agreement with their p-values', () => {
  expect(pearsonCorrelation(x, y)).toEqual({
    estimate: expect.closeTo(0.7045143927, 9),
    p: expect.closeTo(0.0771513549, 9),
    interval: { low: expect.closeTo(-0.1034033682, 9), high: expect.closeTo(0.952325479, 9) },
    pairs: 7,
  })
  expect(spearmanCorrelation(x, y)).toMatchObject({
    estimate: expect.closeTo(0.5714285714, 9),
    p: expect.closeTo(0.1802019889, 9),
  })
  expect(kendallCorrelation(x, y)).toMatchObject({
    estimate: expect.closeTo(0.4285714286, 9),
    p: expect.closeTo(0.2388888889, 9),
    method: 'exact',
  })
})

test('ties', () => {
  const tied = kendallCorrelation([1, 2, 2, 3, 4, 5, 5, 5, 6], [2, 1, 3, 3, 6, 5, 5, 7, 7])
  expect(tied).toMatchObject({
    estimate: expect.closeTo(0.7385489459, 9),
    p: expect.closeTo(0.0090997209, 9),
    method: 'normal',
  })
  expect(spearmanCorrelation([1, 2, 3], [4, 4, 4])).toEqual({ unavailable: 'all_tied' })
  expect(kendallCorrelation([1, 2, 3], [4, 4, 4])).toEqual({ unavailable: 'all_tied' })
})

test('a perfect line, too few points, no variance', () => {
  expect(pearsonCorrelation([1, 2, 3], [2, 4, 6])).toMatchObject({ estimate: 1, p: { unavailable: 'zero_variance' } })
  expect(pearsonCorrelation([1, 2], [5, 7])).toMatchObject({ p: { unavailable: 'too_few_values' } })
  expect(pearsonCorrelation([1, 1], [5, 7])).toEqual({ unavailable: 'zero_variance' })
  expect(() => pearsonCorrelation([1, 2], [5])).toThrow('pairs')
})

test('a correlation lies within ±1, is the same both ways, and rank correlations ignore scale', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })), {
    minLength: 3,
  })
  fc.assert(
    fc.property(pairs, given => {
      const one = given.map(([value]) => value)
      const other = given.map(([, value]) => value)
      for (const correlation of [pearsonCorrelation, spearmanCorrelation, kendallCorrelation]) {
        const there = correlation(one, other)
        const back = correlation(other, one)
        if (!isAvailable(there) || !isAvailable(back)) {
          expect(there).toEqual(back)
          continue
        }
        expect(Math.abs(there.estimate)).toBeLessThanOrEqual(1 + 1e-12)
        expect(there.estimate).toBeCloseTo(back.estimate, 12)
      }
      const cubed = one.map(value => value ** 3)
      expect(kendallCorrelation(cubed, other)).toEqual(kendallCorrelation(one, other))
    }),
  )
})
