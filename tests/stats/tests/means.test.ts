import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAvailable, unavailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { equivalencePaired, equivalenceWelch, nonInferiorityWelch } from '../../../src/stats/tests/means/equivalence.ts'
import { pairedTTest } from '../../../src/stats/tests/means/paired-t.ts'
import { pooledTTest, steadyWelchTest, welchTest } from '../../../src/stats/tests/means/welch.ts'
import { yuenTest } from '../../../src/stats/tests/means/yuen.ts'
import { expectClose, given } from '../close.ts'

const sample = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 20 })
const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values)

describe('t tests', () => {
  test('three pairs by hand', () => {
    // Differences 1, 2, 3: mean 2, sd 1, t = 2√3; with two degrees of freedom p = 1 − t / √(2 + t²).
    const test = given(pairedTTest([2, 4, 6], [1, 2, 3]))
    expect(test).toMatchObject({ estimate: 2, df: 2 })
    expectClose(test.t, 2 * Math.sqrt(3))
    expectClose(test.p, 1 - Math.sqrt(12 / 14), 1e-12)
  })

  test('with equal sizes Welch and the pooled test have the same t', () => {
    fc.assert(
      fc.property(sample, a => {
        const b = a.map((value, at) => value * 0.5 + at)
        fc.pre(spread(a) > 1e-3 && spread(b) > 1e-3)
        expectClose(given(welchTest(a, b)).t, given(pooledTTest(a, b)).t, 1e-9)
      }),
    )
  })

  test('swapping the groups turns the sign and keeps p; one-sided p values add up to 1', () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        fc.pre(spread(a) > 1e-3 && spread(b) > 1e-3)
        const forth = given(welchTest(a, b))
        const back = given(welchTest(b, a))
        expect(back.t).toBeCloseTo(-forth.t, 9)
        expect(back.p).toBeCloseTo(forth.p, 9)
        const greater = given(welchTest(a, b, { alternative: 'greater' })).p
        expect(greater + given(welchTest(a, b, { alternative: 'less' })).p).toBeCloseTo(1, 10)
      }),
    )
  })

  test('p is below 1 − level exactly when the interval excludes 0', () => {
    fc.assert(
      fc.property(sample, sample, fc.constantFrom(0.8, 0.95), (a, b, level) => {
        fc.pre(spread(a) > 1e-3 && spread(b) > 1e-3)
        const { p, interval } = given(welchTest(a, b, { level }))
        fc.pre(Math.abs(p - (1 - level)) > 1e-9)
        expect(interval.low > 0 || interval.high < 0).toBe(p < 1 - level)
      }),
    )
  })

  test('trimming nothing is Welch', () => {
    const a = [1, 4, 2, 8, 5]
    const b = [0, 3, 1, 2, 2, 6]
    expectClose(given(yuenTest(a, b, { trim: 0 })).p, given(welchTest(a, b)).p)
  })

  test('data that supports no test gives a reason, never p = 0', () => {
    expect(welchTest([1, 1, 1], [2, 2, 2])).toEqual(unavailable('zero_variance'))
    expect(welchTest([1], [2, 3])).toEqual(unavailable('too_few_values'))
    expect(welchTest([], [2, 3])).toEqual(unavailable('no_data'))
    expect(welchTest([1, Number.NaN], [2, 3])).toEqual(unavailable('not_a_number'))
    expect(pairedTTest([1.1, 2.1, 3.1], [1, 2, 3])).toEqual(unavailable('zero_variance'))
    expect(pooledTTest([1], [2])).toEqual(unavailable('too_few_values'))
    expect(yuenTest([1, 5, 5, 5, 9], [2, 5, 5, 5, 8])).toEqual(unavailable('zero_variance'))
    expect(yuenTest([1, 2], [3, 4], { trim: 0.4 })).not.toHaveProperty('unavailable')
    expect(() => welchTest([1, 2], [3, 4], { level: 95 })).toThrow('confidence level')
  })
})

describe('equivalence', () => {
  const a = [10.1, 9.9, 10.2, 9.8, 10]
  const b = [10, 10.1, 9.9, 10.05, 9.95]

  test('p is below alpha exactly when the interval lies inside the margins', () => {
    for (const margin of [0.05, 0.1, 0.15, 0.2, 0.5]) {
      const { p, interval } = given(equivalenceWelch(a, b, { low: -margin, high: margin }))
      expect(interval.low > -margin && interval.high < margin).toBe(p < 0.05)
    }
  })

  test('a wide margin makes equal samples equivalent, a narrow one does not', () => {
    expect(given(equivalencePaired(a, b, { low: -1, high: 1 })).p).toBeLessThan(0.001)
    expect(given(equivalencePaired(a, b, { low: -0.01, high: 0.01 })).p).toBeGreaterThan(0.05)
  })

  test('non-inferiority is the lower half of equivalence', () => {
    const { pLow } = given(equivalenceWelch(a, b, { low: -0.3, high: 0.1 }))
    expectClose(given(nonInferiorityWelch(a, b, 0.3)).p, pLow)
  })
})

test('few values against more: the degrees of freedom of the few keep the level', () => {
  const random = counterRandom(21)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  const claims = (tested: typeof welchTest, fewer: number, more: number, sd: number) => {
    const trials = 1500
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const one = Array.from({ length: fewer }, () => sd * normal())
      const answer = tested(one, Array.from({ length: more }, normal))
      if (isAvailable(answer) && answer.p <= 0.05) found++
    }
    return found / trials
  }
  expect(claims(welchTest, 2, 20, 1)).toBeGreaterThan(0.09)
  for (const [fewer, more, sd] of [
    [2, 3, 3],
    [2, 20, 1],
    [3, 6, 3],
    [3, 10, 1.7],
    [4, 40, 1],
  ] as const)
    expect(claims(steadyWelchTest, fewer, more, sd), `${fewer} against ${more}`).toBeLessThan(0.067)
  const equal = [
    [1, 2, 4],
    [3, 5, 9],
  ] as const
  expect(steadyWelchTest(...equal)).toEqual(welchTest(...equal))
})
