import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxTAdjusted, simultaneousCriticalValue } from '../../../src/stats/adjust/max-t.ts'
import {
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  hochberg,
  holm,
  sidak,
} from '../../../src/stats/adjust/p-values.ts'

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 })
const all = { bonferroni, sidak, holm, hochberg, benjaminiHochberg, benjaminiYekutieli }

describe('p values', () => {
  test('stay between the raw value and 1, in order', () => {
    fc.assert(
      fc.property(pValues, p => {
        for (const adjust of Object.values(all)) {
          const adjusted = adjust(p)
          for (const [i, a] of adjusted.entries()) {
            expect(a).toBeGreaterThanOrEqual((p[i] ?? 0) * (1 - 1e-12))
            expect(a).toBeLessThanOrEqual(1)
            for (const [j, b] of adjusted.entries()) if ((p[i] ?? 0) < (p[j] ?? 0)) expect(a).toBeLessThanOrEqual(b)
          }
        }
      }),
    )
  })

  test('more powerful methods never give larger values', () => {
    fc.assert(
      fc.property(pValues, p => {
        const noMore = (sharp: number[], blunt: number[]) =>
          sharp.forEach((value, at) => {
            expect(value).toBeLessThanOrEqual((blunt[at] ?? 0) + 1e-12)
          })
        noMore(holm(p), bonferroni(p))
        noMore(sidak(p), bonferroni(p))
        noMore(hochberg(p), holm(p))
        noMore(benjaminiHochberg(p), hochberg(p))
        noMore(benjaminiHochberg(p), benjaminiYekutieli(p))
      }),
    )
  })

  test('by hand', () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06])
    expect(hochberg([0.01, 0.04, 0.03])).toEqual([0.03, 0.04, 0.04])
    expect(benjaminiHochberg([0.01, 0.04, 0.03])).toEqual([0.03, 0.04, 0.04])
    expect(sidak([1e-20])[0]).toBeCloseTo(1e-20, 30)
  })

  test('a missing p stays missing and does not count', () => {
    for (const adjust of Object.values(all)) {
      const [first, missing, last] = adjust([0.01, Number.NaN, 0.02])
      expect(missing).toBeNaN()
      expect([first, last]).toEqual(adjust([0.01, 0.02]))
    }
  })
})

describe('max-T', () => {
  test('one test: the share of resamples at least as extreme, the observed among them', () => {
    expect(maxTAdjusted([2], [[1], [-3], [2], [0]])).toEqual([3 / 5])
  })

  test('the largest statistic is compared with the largest of each resample, the next without it', () => {
    const resampled = [
      [0, 2.5],
      [1.5, 0],
      [0, 0],
      [0, 0],
    ]
    expect(maxTAdjusted([3, 2], resampled)).toEqual([1 / 5, 2 / 5])
    expect(maxTAdjusted([2, 3], resampled)).toEqual([1 / 5, 1 / 5])
  })

  test('no p is 0, and none is below one of a larger statistic', () => {
    const resampled = Array.from({ length: 99 }, (_, at) => [Math.sin(at), Math.cos(at), Math.sin(3 * at)])
    const [a = 0, b = 0, c = 0] = maxTAdjusted([9, 0.5, 0.9], resampled)
    expect(a).toBe(0.01)
    expect(b).toBeGreaterThanOrEqual(c)
    expect(() => maxTAdjusted([1], [[1, 2]])).toThrow('each of the 1 tests')
  })

  test('simultaneous intervals take the quantile of the largest', () => {
    expect(
      simultaneousCriticalValue(
        [
          [1, -4],
          [2, 3],
          [0, 1],
        ],
        0.5,
      ),
    ).toBe(3)
  })
})
