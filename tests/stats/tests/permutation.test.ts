import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownDifferences, pairedDifferences } from '../../../src/stats/describe/differences.ts'
import { isAvailable, unavailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { welchTest } from '../../../src/stats/tests/means/welch.ts'
import { permutationIndependent } from '../../../src/stats/tests/permutation/independent.ts'
import { permutationPaired } from '../../../src/stats/tests/permutation/paired.ts'
import { areUnlikeInSize, studentizedPermutation } from '../../../src/stats/tests/permutation/studentized.ts'
import { pairsToReach, smallestPairedP, smallestTwoGroupP } from '../../../src/stats/tests/smallest-p.ts'
import { given, steadyRandom } from '../close.ts'
import { splits, subsets } from './enumerate.ts'

/** Whole numbers go one way of counting, others another. */
const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ min: -5, max: 5, noNaN: true }).map(x => Math.round(x * 2 ** 20) / 2 ** 20),
)
const values = fc.array(value, { minLength: 1, maxLength: 8 })
const total = (items: readonly number[]) => items.reduce((sum, item) => sum + item, 0)

describe('sign flips', () => {
  test('sampled for thousands of differences, agree with the exact test', () => {
    // Whole numbers are counted exactly; a little off, they have to be sampled.
    const random = counterRandom(5)
    const whole = Array.from({ length: 1203 }, () => random.below(21) - 10)
    const off = whole.map((value, at) => value + 1e-7 * Math.sin(at))
    const exact = given(permutationPaired(given(knownDifferences(whole))))
    const samples = 20_000
    const sampled = given(permutationPaired(given(knownDifferences(off)), { random: counterRandom(6).next, samples }))
    expect([exact.isExact, sampled.isExact]).toEqual([true, false])
    expect(exact.greater).toBeGreaterThan(0.001)
    for (const tail of ['greater', 'less'] as const) {
      const error = Math.sqrt((exact[tail] * (1 - exact[tail])) / samples)
      expect(Math.abs(sampled[tail] - exact[tail])).toBeLessThan(4 * error + 1 / samples)
    }
  })

  test('p values are shares of all sign choices', () => {
    fc.assert(
      fc.property(values, d => {
        fc.pre(d.some(item => item !== 0))
        const test = given(permutationPaired(given(knownDifferences(d))))
        const sums = subsets(d).map(flipped => total(d) - 2 * total(flipped))
        const share = (isHit: (sum: number) => boolean) => sums.filter(isHit).length / sums.length
        expect(test.greater).toBeCloseTo(
          share(sum => sum >= total(d) - 1e-9),
          12,
        )
        expect(test.less).toBeCloseTo(
          share(sum => sum <= total(d) + 1e-9),
          12,
        )
        expect(test.twoSided).toBeCloseTo(
          share(sum => Math.abs(sum) >= Math.abs(total(d)) - 1e-9),
          12,
        )
      }),
    )
  })

  test('tiny differences are not treated as zeros', () => {
    const small = given(permutationPaired(given(knownDifferences([1e-10, 2e-10, 3e-10]))))
    expect(small.twoSided).toBe(0.25)
  })

  test('solved or not on a thousand tasks is exact', () => {
    const d = Array.from({ length: 1000 }, (_, at) => (at % 10 === 0 ? 1 : at % 15 === 1 ? -1 : 0))
    const test = given(permutationPaired(given(knownDifferences(d))))
    expect(test.isExact).toBe(true)
    expect(test.twoSided).toBeGreaterThan(0)
    expect(test.twoSided).toBeLessThan(0.05)
  })

  test('too many to count are sampled, never to p = 0', () => {
    const d = Array.from({ length: 60 }, (_, at) => 1 + Math.sqrt(at + 2))
    const given60 = given(knownDifferences(d))
    expect(permutationPaired(given60)).toEqual(unavailable('too_many_values'))
    const sampled = given(permutationPaired(given60, { random: steadyRandom(), samples: 999 }))
    expect(sampled.isExact).toBe(false)
    // All are positive: one choice of signs of 2⁶⁰ is as extreme.
    expect(sampled.greater).toBeCloseTo(2 ** -60, 25)
    expect(sampled.twoSided).toBeCloseTo(2 ** -59, 25)
  })

  test('equal pairs: no answer', () => {
    expect(permutationPaired(given(pairedDifferences([0.3, 1], [0.1 + 0.2, 1])))).toEqual(
      unavailable('all_differences_zero'),
    )
  })
})

describe('splits', () => {
  test('p values are shares of all splits', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.array(value, { minLength: 1, maxLength: 5 }),
        (a, b) => {
          const pooled = [...a, ...b]
          fc.pre(Math.max(...pooled) - Math.min(...pooled) > 1e-6)
          const test = given(permutationIndependent(a, b))
          const difference = (sum: number) => sum / a.length - (total(pooled) - sum) / b.length
          const all = splits(pooled, a.length).map(chosen => difference(total(chosen)))
          const observed = difference(total(a))
          const share = (isHit: (sum: number) => boolean) => all.filter(isHit).length / all.length
          expect(test.permutations).toBe(all.length)
          expect(test.greater).toBeCloseTo(
            share(d => d >= observed - 1e-9),
            12,
          )
          expect(test.less).toBeCloseTo(
            share(d => d <= observed + 1e-9),
            12,
          )
          expect(test.twoSided).toBeCloseTo(
            share(d => Math.abs(d) >= Math.abs(observed) - 1e-9),
            12,
          )
        },
      ),
    )
  })

  test('sampling agrees with counting', () => {
    const a = Array.from({ length: 30 }, (_, at) => (at % 5) + (at % 3))
    const b = Array.from({ length: 30 }, (_, at) => (at % 4) + (at % 3))
    const exact = given(permutationIndependent(a, b))
    const noisy = (sample: readonly number[]) => sample.map((item, at) => item + Math.sqrt(at + 2) * 1e-7)
    const sampled = given(permutationIndependent(noisy(a), noisy(b), { random: steadyRandom(), samples: 20_000 }))
    expect(exact.isExact).toBe(true)
    expect(sampled.isExact).toBe(false)
    expect(Math.abs(sampled.greater - exact.greater)).toBeLessThan(0.03)
  })

  test('only ties: no answer', () => {
    expect(permutationIndependent([2, 2], [2])).toEqual(unavailable('all_tied'))
  })
})

test('the smallest p of a design', () => {
  expect(smallestPairedP(5)).toBe(0.0625)
  expect(smallestTwoGroupP(4, 4)).toBeCloseTo(2 / 70, 15)
  expect(pairsToReach(0.05)).toBe(6)
  expect(pairsToReach(0.0625)).toBe(5)
})

describe('a permutation of t', () => {
  const sampling = () => ({ random: counterRandom(3), resamples: 999 })
  /** Skewed, and all different. */
  const values = Array.from({ length: 10 }, (_, at) => Math.exp(0.5 * at) + 0.01 * at)
  const splits = values.flatMap((_, a) =>
    values.slice(a + 1).flatMap((_, b) =>
      values.slice(a + b + 2).map((_, c) => {
        const chosen = new Set([a, a + b + 1, a + b + c + 2])
        return {
          few: values.filter((_, at) => chosen.has(at)),
          many: values.filter((_, at) => !chosen.has(at)),
        }
      }),
    ),
  )

  test('has its nominal error on each side, over all permutations of skewed values', () => {
    expect(splits).toHaveLength(120)
    const shares = (['greater', 'less'] as const).map(
      side =>
        splits.filter(({ few, many }) => {
          const test = studentizedPermutation(few, many, sampling())
          return isAvailable(test) && test.p(side) <= 0.15
        }).length / splits.length,
    )
    for (const share of shares) {
      expect(share).toBeLessThanOrEqual(0.17)
      expect(share).toBeGreaterThan(0.1)
    }
    // Welch's t says "less" far more often: the three seldom include the largest.
    const byT = splits.filter(({ few, many }) => {
      const test = welchTest(few, many, { alternative: 'less' })
      return isAvailable(test) && test.p <= 0.15
    })
    expect(byT.length / splits.length).toBeGreaterThan(0.25)
  })

  test('has an interval that ends at the differences that it just does not reject, for either order of groups', () => {
    const [few, many] = [values.slice(2, 6), [...values.slice(0, 2), ...values.slice(6), 3, 4, 5, 6, 7]]
    const one = studentizedPermutation(few, many, sampling())
    const other = studentizedPermutation(many, few, sampling())
    if (!isAvailable(one) || !isAvailable(other)) throw new Error('there is a spread')
    const interval = one.interval(0.9, 'two-sided')
    for (const [end, side] of [
      [interval.low, 'greater'],
      [interval.high, 'less'],
    ] as const) {
      const moved = studentizedPermutation(
        few.map(value => value - end),
        many,
        sampling(),
      )
      expect(isAvailable(moved) && moved.p(side)).toBeCloseTo(0.05, 2)
    }
    const turned = other.interval(0.9, 'two-sided')
    expect(Math.abs(turned.low / -interval.high - 1)).toBeLessThan(0.15)
    expect(Math.abs(turned.high / -interval.low - 1)).toBeLessThan(0.15)
  })

  test('extends its tail beyond the sampled permutations, so that clear differences stay clear', () => {
    const far = studentizedPermutation(
      Array.from({ length: 20 }, (_, at) => 50 + Math.sin(at)),
      Array.from({ length: 60 }, (_, at) => Math.cos(at)),
      sampling(),
    )
    expect(isAvailable(far) && far.p('two-sided')).toBeLessThan(1e-8)
  })

  test('applies to groups of unequal size with enough permutations', () => {
    expect([areUnlikeInSize(5, 50), areUnlikeInSize(50, 5), areUnlikeInSize(10, 20)]).toEqual([true, true, true])
    expect([areUnlikeInSize(10, 19), areUnlikeInSize(2, 8), areUnlikeInSize(1, 200)]).toEqual([false, false, false])
  })
})
