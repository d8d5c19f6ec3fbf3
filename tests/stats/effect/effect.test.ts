import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownDifferences } from '../../../src/stats/describe/differences.ts'
import { logRatio, pairedLogRatio } from '../../../src/stats/effect/log-ratio.ts'
import { cliffsDelta, commonLanguageEffect, varghaDelaneyA } from '../../../src/stats/effect/ordinal.ts'
import { pairingGain } from '../../../src/stats/effect/pairing.ts'
import { cohensD, cohensDz, glassDelta, hedgesG, smallSampleFactor } from '../../../src/stats/effect/standardized.ts'
import { unavailable } from '../../../src/stats/estimate.ts'
import { expectClose, given } from '../close.ts'

const group = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 12 })

describe('standardised differences', () => {
  test('by hand: means 3 and 1, both of sd 1', () => {
    expect(cohensD([2, 3, 4], [0, 1, 2])).toBe(2)
    expect(glassDelta([2, 3, 4], [0, 1, 2])).toBe(2)
    expect(cohensDz(given(knownDifferences([1, 2, 3])))).toBe(2)
  })

  test('the small-sample factor has closed forms, and its approximation is not one of them', () => {
    expectClose(smallSampleFactor(2), 1 / Math.sqrt(Math.PI))
    expectClose(smallSampleFactor(3), Math.sqrt(Math.PI) / 2 / Math.sqrt(1.5))
    expectClose(smallSampleFactor(1e9), 1 - 0.75e-9, 1e-15)
    expectClose(given(hedgesG([1, 2], [3, 4])), given(cohensD([1, 2], [3, 4])) / Math.sqrt(Math.PI))
  })

  test('without variance there is no standardised difference', () => {
    expect(cohensD([1, 1], [2, 2])).toEqual(unavailable('zero_variance'))
    expect(glassDelta([1, 2], [2, 2])).toEqual(unavailable('zero_variance'))
    expect(cohensDz(given(knownDifferences([1])))).toEqual(unavailable('too_few_values'))
    expect(hedgesG([1, 2], [4])).toEqual(unavailable('too_few_values'))
  })
})

describe('ordinal effects', () => {
  test('count pairs', () => {
    fc.assert(
      fc.property(group, group, (a, b) => {
        const signs = a.flatMap(x => b.map(y => Math.sign(x - y)))
        const delta = signs.reduce<number>((sum, sign) => sum + sign, 0) / signs.length
        expect(given(cliffsDelta(a, b))).toBeCloseTo(delta, 12)
        expect(given(varghaDelaneyA(a, b))).toBeCloseTo((delta + 1) / 2, 12)
      }),
    )
  })

  test('need no variance', () => expect(cliffsDelta([1, 1], [2, 2])).toBe(-1))

  test('the common-language effect of equal means is one half', () => {
    expect(given(commonLanguageEffect([1, 2, 3], [0, 2, 4]))).toBeCloseTo(0.5, 14)
  })
})

describe('ratios and pairs', () => {
  test('twice as long is a ratio of 2, whatever the tasks', () => {
    const b = [1, 10, 100, 1000]
    const a = [2.2, 19, 205, 1980]
    const paired = given(pairedLogRatio(a, b))
    // The geometric mean of the four ratios.
    expect(paired.ratio).toBeCloseTo((2.2 * 1.9 * 2.05 * 1.98) ** (1 / 4), 12)
    expect(paired.p).toBeLessThan(0.001)
    expect(given(logRatio(a, b)).p).toBeGreaterThan(0.5)
    expect(logRatio([0, 1], [1, 2])).toEqual(unavailable('not_positive'))
  })

  test('pairing gains from what pairs share', () => {
    const a = [1, 2, 3, 4]
    expect(
      given(
        pairingGain(
          a,
          a.map(value => value + (value % 2)),
        ),
      ).varianceReduction,
    ).toBeGreaterThan(0.7)
    expect(given(given(pairingGain(a, [4, 3, 2, 1])).correlation)).toBeCloseTo(-1, 14)
    expect(given(pairingGain(a, [4, 3, 2, 1])).varianceReduction).toBeCloseTo(-1, 14)
    expect(given(pairingGain(a, [2, 2, 2, 2])).correlation).toEqual(unavailable('zero_variance'))
    expect(pairingGain([1, 1], [2, 2])).toEqual(unavailable('zero_variance'))
  })
})
