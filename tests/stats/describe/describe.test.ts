import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { areConstant, pairedDifferences } from '../../../src/stats/describe/differences.ts'
import { meanWithinBounds, omitNaN, omitNaNPairs, replaceNaN } from '../../../src/stats/describe/missing.ts'
import { coefficientOfVariation, mean, skewness, standardError, variance } from '../../../src/stats/describe/moments.ts'
import { median, quantile } from '../../../src/stats/describe/quantile.ts'
import { midranks, tieCorrection } from '../../../src/stats/describe/ranks.ts'
import { medianAbsoluteDeviation, trimmedMean, winsorisedVariance } from '../../../src/stats/describe/robust.ts'
import { sum } from '../../../src/stats/describe/sum.ts'
import { summarize } from '../../../src/stats/describe/summary.ts'
import { unavailable } from '../../../src/stats/estimate.ts'
import { given } from '../close.ts'

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 })

describe('moments', () => {
  test('sums keep digits that plain addition loses', () => {
    expect(sum([1, 1e100, 1, -1e100])).toBe(2)
    expect(sum(Array.from({ length: 10 }, () => 0.1))).toBe(1)
    expect(sum([Infinity, 1])).toBe(Infinity)
  })

  test('an offset of 10⁹ does not change the variance', () => {
    expect(variance([4, 7, 13, 16].map(value => value + 1e9))).toBe(30)
  })

  test('values that differ only by rounding have no variance', () => {
    expect(variance([0.1 + 0.2, 0.3, 0.3])).toBe(0)
    expect(variance([0.7, 0.7, 0.7])).toBe(0)
  })

  test('an undefined number has a reason', () => {
    expect(mean([])).toEqual(unavailable('no_data'))
    expect(mean([1, Number.NaN])).toEqual(unavailable('not_a_number'))
    expect(mean([1, Infinity])).toEqual(unavailable('infinite_value'))
    expect(variance([1])).toEqual(unavailable('too_few_values'))
    expect(standardError([3])).toEqual(unavailable('too_few_values'))
    expect(coefficientOfVariation([-1, 1])).toEqual(unavailable('zero_mean'))
    expect(skewness([2, 2, 2])).toEqual(unavailable('zero_variance'))
  })

  test('skewness is 0 for symmetric data and changes sign with it', () => {
    expect(given(skewness([1, 2, 3, 4, 5]))).toBeCloseTo(0, 14)
    expect(given(skewness([1, 2, 9]))).toBeCloseTo(-given(skewness([-1, -2, -9])), 12)
  })
})

describe('quantiles', () => {
  test('the ten-value example of Hyndman & Fan, by type', () => {
    const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const at = (type: 4 | 5 | 6 | 7 | 8 | 9) => given(quantile(ten, 0.25, type))
    expect([at(4), at(5), at(6), at(7)]).toEqual([2.5, 3, 2.75, 3.25])
    expect(at(8)).toBeCloseTo(2 + 11 / 12, 12)
    expect(at(9)).toBeCloseTo(2.9375, 12)
  })

  test('no quantile is outside the data, and they come in order', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (data, p) => {
        const q = given(quantile(data, p))
        expect(q).toBeGreaterThanOrEqual(Math.min(...data))
        expect(q).toBeLessThanOrEqual(Math.max(...data))
        expect(given(quantile(data, p / 2))).toBeLessThanOrEqual(q)
      }),
    )
  })

  test('robust summaries ignore one wild value', () => {
    expect(median([1, 2, 3, 4, 1e9])).toBe(3)
    expect(medianAbsoluteDeviation([1, 2, 3, 4, 1e9])).toBe(1)
    expect(trimmedMean([1, 2, 3, 4, 1e9], 0.2)).toBe(3)
    expect(winsorisedVariance([1, 2, 3, 4, 1e9], 0.2)).toBe(1)
    expect(() => trimmedMean([1, 2], 0.5)).toThrow('trim')
  })
})

describe('ranks', () => {
  test('ties share their mean rank, float noise included', () => {
    expect(midranks([10, 20, 20, 30])).toEqual([1, 2.5, 2.5, 4])
    expect(midranks([0.71 - 0.68, 0.03, 0.5])).toEqual([1.5, 1.5, 3])
    expect(midranks([-Infinity, Infinity, 0, Infinity])).toEqual([1, 3.5, 2, 3.5])
    expect(midranks([1e-14, 1])).toEqual([1, 2])
  })

  test('ranks add up to n (n + 1) / 2', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 50 }), data => {
        const n = data.length
        expect(midranks(data).reduce((total, rank) => total + rank, 0)).toBe((n * (n + 1)) / 2)
      }),
    )
  })

  test('the tie correction counts t³ − t', () => expect(tieCorrection(midranks([1, 1, 1, 2, 2]))).toBe(24 + 6))
})

describe('pairs', () => {
  test('differences that are equal up to rounding are constant', () => {
    expect(areConstant(given(pairedDifferences([1.1, 2.1, 3.1], [1, 2, 3])))).toBe(true)
    expect(areConstant(given(pairedDifferences([1.1, 2.1, 3.2], [1, 2, 3])))).toBe(false)
  })

  test('pairs of unequal length are an error', () => {
    expect(() => pairedDifferences([1], [1, 2])).toThrow('not 1 and 2')
  })

  test('dropping NaN counts what it drops', () => {
    expect(omitNaN([1, Number.NaN, 2])).toEqual({ values: [1, 2], dropped: 1 })
    expect(omitNaNPairs([1, Number.NaN, 2], [Number.NaN, 1, 3])).toEqual({ a: [2], b: [3], dropped: 2 })
  })
})

describe('crashed runs', () => {
  const scores = [1, Number.NaN, 0, 1]

  test('may count as failures', () => expect(replaceNaN(scores, 0)).toEqual({ values: [1, 0, 0, 1], replaced: 1 }))

  test('leave the mean open between worst and best', () => {
    expect(meanWithinBounds(scores, { low: 0, high: 1 })).toEqual({ low: 0.5, high: 0.75 })
    expect(meanWithinBounds([], { low: 0, high: 1 })).toEqual(unavailable('no_data'))
  })
})

test('the summary of one value has a mean and no spread', () => {
  const summary = given(summarize([3.25]))
  expect(summary).toMatchObject({ n: 1, mean: 3.25, min: 3.25, max: 3.25, variance: unavailable('too_few_values') })
})
