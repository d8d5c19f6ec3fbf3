import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import {
  counterRandom,
  effectiveUnits,
  pairedTTest,
  stratifiedDifference,
  stratifiedMean,
  studentizeMean,
  studentizeStratified,
  tInference,
  type WeightedStratum,
  welchTest,
} from '../../../src/stats/index.ts'

const alike = (values: readonly number[], share = 1): WeightedStratum => ({
  share,
  values,
  weights: values.map(() => 3),
})
const value = fc.double({ min: -100, max: 100, noNaN: true })

function known<T>(estimate: T): Exclude<T, { readonly unavailable: unknown }> {
  expect(isAvailable(estimate)).toBe(true)
  return estimate as Exclude<T, { readonly unavailable: unknown }>
}

describe('a stratified mean', () => {
  it('of equal weights is Student’s t, and Welch’s of two arms', () => {
    const [a, b] = [
      [3, 4.5, 6, 1, 2],
      [5, 9, 6.5, 7],
    ]
    const one = known(stratifiedMean([alike(a)]))
    const t = known(
      pairedTTest(
        a,
        a.map(() => 0),
      ),
    )
    expect([one.estimate, one.standardError, one.df]).toEqual([
      expect.closeTo(t.estimate, 12),
      expect.closeTo(t.standardError, 12),
      expect.closeTo(t.df, 9),
    ])
    const both = known(stratifiedDifference([alike(b)], [alike(a)]))
    const welch = known(welchTest(b, a))
    expect(both.standardError).toBeCloseTo(welch.standardError, 12)
    expect(both.df).toBeCloseTo(welch.df, 9)
  })

  it('has the moments that its matrix has', () => {
    // v = Σ a_i e_i² with e = (I − 1wᵀ) d is a quadratic form: E v = tr B, Var v = 2 tr B² for unit variances.
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.1, max: 9, noNaN: true }), { minLength: 2, maxLength: 8 }), raw => {
        const total = raw.reduce((sum, one) => sum + one, 0)
        const w = raw.map(one => one / total)
        const squares = w.reduce((sum, one) => sum + one * one, 0)
        const a = w.map(one => (one * one) / (1 - 2 * one + squares))
        let [trace, square] = [0, 0]
        w.forEach((own, i) => {
          trace += (a[i] ?? 0) * (1 - 2 * own + squares)
          w.forEach((other, j) => {
            square += (a[i] ?? 0) * (a[j] ?? 0) * ((i === j ? 1 : 0) - own - other + squares) ** 2
          })
        })
        const found = known(stratifiedMean([{ share: 1, values: raw.map((_, at) => at * at), weights: raw }]))
        expect(found.df).toBeCloseTo((trace * trace) / square, 6)
        // Unbiased for equal variances: the expected variance of the estimate is Σ w².
        expect(trace).toBeCloseTo(squares, 12)
      }),
      { numRuns: 50, seed: 3 },
    )
  })

  it('does not depend on the unit of weights, nor on the order of units', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, fc.integer({ min: 1, max: 9 })), { minLength: 3, maxLength: 12 }), pairs => {
        const stratum = (list: typeof pairs, scale: number): WeightedStratum => ({
          share: 1,
          values: list.map(([one]) => one),
          weights: list.map(([, weight]) => scale * weight),
        })
        const [one, other] = [stratifiedMean([stratum(pairs, 1)]), stratifiedMean([stratum(pairs.toReversed(), 1000)])]
        expect(isAvailable(one)).toBe(isAvailable(other))
        if (!isAvailable(one) || !isAvailable(other)) return
        expect(other.estimate).toBeCloseTo(one.estimate, 9)
        expect(other.standardError).toBeCloseTo(one.standardError, 9)
      }),
      { numRuns: 50, seed: 4 },
    )
  })

  it('of strata has no variance between them', () => {
    const found = known(stratifiedMean([alike([1, 2, 3], 0.25), alike([101, 102, 103], 0.75)]))
    expect(found.estimate).toBeCloseTo(0.25 * 2 + 0.75 * 102, 12)
    expect(found.standardError).toBeCloseTo(Math.sqrt((0.25 ** 2 + 0.75 ** 2) / 3), 12)
    expect(found.df).toBeCloseTo((0.25 ** 2 + 0.75 ** 2) ** 2 / ((0.25 ** 4 + 0.75 ** 4) / 2), 9)
  })

  it('gives a reason if there is none', () => {
    expect(stratifiedMean([alike([1, 2]), alike([3])])).toEqual({ unavailable: 'too_few_values' })
    expect(stratifiedMean([alike([2, 2, 2])])).toEqual({ unavailable: 'zero_variance' })
    expect(stratifiedMean([])).toEqual({ unavailable: 'no_data' })
    expect(() => stratifiedMean([{ share: 1, values: [1, 2], weights: [1, 0] }])).toThrow('weights above 0')
  })

  it('is resampled like a plain mean if all weights are equal', () => {
    const values = [3, 4.5, 6, 1, 2, 8, 7]
    const options = () => ({ random: counterRandom(5), resamples: 200 })
    const [one, other] = [
      known(studentizeStratified([alike(values)], [], options())),
      known(studentizeMean(values, options())),
    ]
    expect(Array.from(one.estimates)).toEqual(Array.from(other.estimates, own => expect.closeTo(own, 10)))
    expect(Array.from(one.standardErrors)).toEqual(Array.from(other.standardErrors, own => expect.closeTo(own, 10)))
  })

  it.each([
    { weights: [1, 2, 3, 4, 1, 2, 3, 4], most: 0.97 },
    // One unit that is worth as much as all others: cautious, never bold.
    { weights: [10, 4, 3, 1, 1, 1, 1, 1], most: 1 },
  ])('holds its level with weights $weights', ({ weights, most }) => {
    const random = counterRandom(11)
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    let covered = 0
    const trials = 2000
    for (let trial = 0; trial < trials; trial++) {
      const found = known(stratifiedMean([{ share: 1, values: weights.map(normal), weights }]))
      const { low, high } = tInference(found.estimate, found.standardError, found.df).interval
      if (low <= 0 && high >= 0) covered++
    }
    expect(covered / trials).toBeGreaterThan(0.935)
    expect(covered / trials).toBeLessThanOrEqual(most)
  })
})

it('equal weights lose no effective units', () => {
  expect(effectiveUnits([2, 2, 2])).toBeCloseTo(3, 12)
  expect(effectiveUnits([1, 0.0001])).toBeCloseTo(1, 3)
})
