import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownDifferences } from '../../../src/stats/describe/differences.ts'
import { binomialCdf, binomialSurvival } from '../../../src/stats/distributions/binomial.ts'
import { unavailable } from '../../../src/stats/estimate.ts'
import { meanInterval } from '../../../src/stats/intervals/mean.ts'
import { newcombeInterval, newcombePairedInterval } from '../../../src/stats/intervals/newcombe.ts'
import { permutationIndependentInterval, permutationPairedInterval } from '../../../src/stats/intervals/permutation.ts'
import {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
} from '../../../src/stats/intervals/proportion.ts'
import { pairedRatioInterval, ratioInterval } from '../../../src/stats/intervals/ratio.ts'
import { pairedTTest } from '../../../src/stats/tests/means/paired-t.ts'
import { permutationIndependent } from '../../../src/stats/tests/permutation/independent.ts'
import { permutationPaired } from '../../../src/stats/tests/permutation/paired.ts'
import { expectClose, given, steadyRandom } from '../close.ts'

const count = fc
  .integer({ min: 1, max: 2000 })
  .chain(n => fc.record({ successes: fc.integer({ min: 0, max: n }), n: fc.constant(n) }))

describe('proportions', () => {
  test('every interval contains the share and stays within 0 and 1', () => {
    fc.assert(
      fc.property(count, fc.constantFrom(0.5, 0.95, 0.999), (k, level) => {
        for (const method of [wilsonInterval, clopperPearsonInterval, jeffreysInterval, agrestiCoullInterval]) {
          const { low, high } = given(method(k, level))
          expect(low).toBeGreaterThanOrEqual(0)
          expect(high).toBeLessThanOrEqual(1)
          expect(low).toBeLessThanOrEqual(k.successes / k.n + 1e-12)
          expect(high).toBeGreaterThanOrEqual(k.successes / k.n - 1e-12)
        }
      }),
    )
  })

  test('at the ends of Clopper and Pearson a tail is exactly alpha / 2', () => {
    fc.assert(
      fc.property(count, k => {
        const { low, high } = given(clopperPearsonInterval(k, 0.9))
        if (k.successes > 0) expectClose(binomialSurvival(k.successes - 1, k.n, low), 0.05, 1e-8)
        if (k.successes < k.n) expectClose(binomialCdf(k.successes, k.n, high), 0.05, 1e-8)
      }),
    )
  })

  test('all-pass and all-fail have an interval, no data has none', () => {
    // None of n: Wilson ends at z² / (n + z²), Clopper-Pearson at 1 − (alpha / 2)^(1 / n).
    const z2 = 1.959963984540054 ** 2
    expectClose(given(wilsonInterval({ successes: 0, n: 10 })).high, z2 / (10 + z2))
    expectClose(given(clopperPearsonInterval({ successes: 0, n: 10 })).high, 1 - 0.025 ** 0.1)
    expect(given(wilsonInterval({ successes: 10, n: 10 })).high).toBe(1)
    expect(wilsonInterval({ successes: 0, n: 0 })).toEqual(unavailable('no_data'))
  })

  test('Newcombe: swapping the groups mirrors the interval', () => {
    fc.assert(
      fc.property(count, count, (a, b) => {
        const forth = given(newcombeInterval(a, b))
        const back = given(newcombeInterval(b, a))
        expect(back.low).toBeCloseTo(-forth.high, 12)
        expect(forth.low).toBeLessThanOrEqual(a.successes / a.n - b.successes / b.n)
      }),
    )
  })

  test("Newcombe's paired example: 48 of 50 against 38 of 50, 36 of them shared", () => {
    // Newcombe 1998 (Stat. Med. 17:2635) prints for method 10 0.0569 to 0.3404.
    const interval = given(newcombePairedInterval({ both: 36, onlyA: 12, onlyB: 2, neither: 0 }))
    expect(interval.low).toBeCloseTo(0.0569, 4)
    expect(interval.high).toBeCloseTo(0.3404, 4)
  })
})

describe('means and ratios', () => {
  test('a mean of 1 and 3 with one degree of freedom', () => {
    // t at 97.5% with one degree of freedom is tan(0.475 π).
    const { low, high } = given(meanInterval([1, 3]))
    expectClose(high - 2, Math.tan(0.475 * Math.PI))
    expect(low + high).toBeCloseTo(4, 10)
    expect(meanInterval([2, 2, 2])).toEqual(unavailable('zero_variance'))
    expect(meanInterval([2])).toEqual(unavailable('too_few_values'))
  })

  test("at the ends of Fieller's interval a − r b is just significant", () => {
    const a = [12, 15, 11, 14, 18]
    const b = [5, 6, 4.5, 7, 6]
    const interval = given(pairedRatioInterval(a, b))
    for (const end of [interval.low, interval.high]) {
      const scaled = b.map(value => value * end)
      expectClose(given(pairedTTest(a, scaled)).p, 0.05, 1e-8)
    }
    expectClose(interval.ratio, 14 / 5.7)
  })

  test('a denominator that may be 0 gives an unbounded ratio', () => {
    expect(ratioInterval([1, 2, 3], [-1, 1.5, 0.2])).toEqual(unavailable('unbounded'))
    expect(ratioInterval([1, 1], [2, 2])).toEqual(unavailable('zero_variance'))
  })
})

describe('permutation intervals', () => {
  const d = [0.31, -0.12, 0.54, 0.77, 0.2, 0.43, -0.05, 0.66]

  test('shifts inside are not rejected, shifts outside are', () => {
    const { low, high } = given(permutationPairedInterval(given(knownDifferences(d)), 0.95))
    const p = (shift: number) =>
      given(permutationPaired(given(knownDifferences(d.map(value => value - shift))))).twoSided
    expect(p(low + 1e-6)).toBeGreaterThan(0.05)
    expect(p(low - 1e-6)).toBeLessThanOrEqual(0.05)
    expect(p(high - 1e-6)).toBeGreaterThan(0.05)
    expect(p(high + 1e-6)).toBeLessThanOrEqual(0.05)
  })

  test('the same for two groups', () => {
    const a = [3.1, 4.7, 2.2, 5.5, 4.05]
    const b = [1.2, 2.6, 2.1, 3.3, 0.7, 1.1]
    const { low, high } = given(permutationIndependentInterval(a, b, 0.9))
    const oneSided = (shift: number) =>
      given(
        permutationIndependent(
          a.map(value => value - shift),
          b,
        ),
      )
    expect(oneSided(low + 1e-6).greater).toBeGreaterThan(0.05)
    expect(oneSided(low - 1e-6).greater).toBeLessThanOrEqual(0.05)
    expect(oneSided(high - 1e-6).less).toBeGreaterThan(0.05)
    expect(oneSided(high + 1e-6).less).toBeLessThanOrEqual(0.05)
  })

  test('five pairs cannot have a 95% interval', () => {
    expect(permutationPairedInterval(given(knownDifferences(d.slice(0, 5))), 0.95)).toEqual(unavailable('unbounded'))
  })

  test('values without variance have no interval of width 0', () => {
    expect(permutationPairedInterval(given(knownDifferences([1, 1, 1, 1, 1, 1, 1])))).toEqual(
      unavailable('zero_variance'),
    )
    expect(permutationIndependentInterval([1, 1, 1, 1], [2, 2, 2, 2])).toEqual(unavailable('zero_variance'))
  })

  test('sampled ends are close to Student’s for many values', () => {
    const many = Array.from({ length: 40 }, (_, at) => Math.sin(at) + 0.3)
    const sampling = { random: steadyRandom(), samples: 9999 }
    const sampled = given(permutationPairedInterval(given(knownDifferences(many)), 0.95, sampling))
    const student = given(meanInterval(many))
    expect(Math.abs(sampled.low - student.low)).toBeLessThan(0.03)
    expect(Math.abs(sampled.high - student.high)).toBeLessThan(0.03)
    const swapped = given(
      permutationIndependentInterval(
        many,
        many.map(value => value / 2),
        0.95,
        sampling,
      ),
    )
    expect(swapped.low).toBeLessThan(0.15)
    expect(swapped.high).toBeGreaterThan(0.15)
  })
})
