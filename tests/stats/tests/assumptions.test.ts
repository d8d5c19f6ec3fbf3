import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalQuantile } from '../../../src/stats/distributions/normal.ts'
import { unavailable } from '../../../src/stats/estimate.ts'
import { leveneTest } from '../../../src/stats/tests/assumptions/levene.ts'
import { shapiroWilkTest } from '../../../src/stats/tests/assumptions/shapiro-wilk.ts'
import { skewnessTest } from '../../../src/stats/tests/assumptions/skewness.ts'
import { expectClose, given } from '../close.ts'

test('Shapiro-Wilk finds normal scores normal and exponential ones not', () => {
  for (const n of [4, 5, 6, 11, 12, 50, 1000]) {
    const scores = Array.from({ length: n }, (_, at) => normalQuantile((at + 0.5) / n))
    expect(given(shapiroWilkTest(scores)).p).toBeGreaterThan(0.5)
  }
  const exponential = Array.from({ length: 50 }, (_, at) => -Math.log((at + 0.5) / 50))
  expect(given(shapiroWilkTest(exponential)).p).toBeLessThan(1e-4)
})

test('Shapiro-Wilk does not care about unit and origin', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 4, maxLength: 30 }), sample => {
      fc.pre(new Set(sample).size > 2)
      const moved = sample.map(value => value * 0.001 - 7)
      expectClose(given(shapiroWilkTest(moved)).w, given(shapiroWilkTest(sample)).w, 1e-9)
    }),
  )
})

test('three values: W of 1, 2, 4 is 27 / 28', () => expectClose(given(shapiroWilkTest([4, 1, 2])).w, 27 / 28))

test('Shapiro-Wilk needs three different values', () => {
  expect(shapiroWilkTest([1, 2])).toEqual(unavailable('too_few_values'))
  expect(shapiroWilkTest([1, 1, 1])).toEqual(unavailable('zero_variance'))
})

test('Levene by hand: distances 1, 0, 1 against 2, 0, 2', () => {
  // Means 2/3 and 4/3, grand mean 1: between 2/3, within 2/3 + 8/3, so W = (2/3) / (10/3 / 4) = 0.8.
  const test = given(
    leveneTest([
      [1, 2, 3],
      [2, 4, 6],
    ]),
  )
  expect(test).toMatchObject({ df1: 1, df2: 4 })
  expectClose(test.w, 0.8)
})

test('Levene has nothing to compare without spread', () => {
  expect(
    leveneTest([
      [1, 1],
      [2, 2],
    ]),
  ).toEqual(unavailable('zero_variance'))
  expect(leveneTest([[1, 2]])).toEqual(unavailable('too_few_values'))
})

test('skewness: z and p of scipy.stats.skewtest', () => {
  const vectors = [
    { values: [2, 8, 0, 4, 1, 9, 9, 0], z: 0.44626385374196975, p: 0.6554066631275459 },
    { values: [1, 2, 3, 4, 5, 6, 7, 8000], z: 3.571773510360407, p: 0.0003545719905823133 },
    { values: [100, 100, 100, 100, 100, 100, 100, 101], z: 3.5717766638478072, p: 0.000354567720281634 },
  ]
  for (const { values, z, p } of vectors) {
    const found = given(skewnessTest(values))
    expectClose(found.z, z, 1e-9)
    expectClose(found.p, p, 1e-9)
    expectClose(given(skewnessTest(values.map(value => -value))).z, -z, 1e-9)
  }
  expect(skewnessTest([1, 2, 3, 4, 5, 6, 70])).toEqual(unavailable('too_few_values'))
})
