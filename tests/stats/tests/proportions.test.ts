import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unavailable } from '../../../src/stats/estimate.ts'
import { fisherExactTest } from '../../../src/stats/tests/proportions/fisher-exact.ts'
import { mcnemarTest } from '../../../src/stats/tests/proportions/mcnemar.ts'
import { twoProportionsTest } from '../../../src/stats/tests/proportions/two-proportions.ts'
import { expectClose, given } from '../close.ts'

describe('McNemar', () => {
  test('six wins to none is two in sixty-four', () => {
    const test = given(mcnemarTest(6, 0))
    expect(test.exact.twoSided).toBeCloseTo(2 / 64, 15)
    expect(test.midP).toBeCloseTo(1 / 64, 15)
    expect(test.chiSquared).toBe(6)
    expect(test.exact.greater).toBeCloseTo(1 / 64, 15)
  })

  test('mid-p is below the exact p, and neither is ever 0', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (b, c) => {
        fc.pre(b + c > 0)
        const { exact, midP } = given(mcnemarTest(b, c))
        expect(midP).toBeLessThanOrEqual(exact.twoSided + 1e-12)
        expect(midP).toBeGreaterThan(0)
      }),
    )
  })

  test('no discordant item: no answer', () => {
    expect(mcnemarTest(0, 0)).toEqual(unavailable('no_discordant_pairs'))
    expect(() => mcnemarTest(-1, 2)).toThrow('counts')
  })
})

describe('two proportions', () => {
  test("Fisher's tea", () => {
    // The lady who tasted tea: 3 of 4 right.
    const test = given(fisherExactTest({ successes: 3, n: 4 }, { successes: 1, n: 4 }))
    expectClose(test.greater, 17 / 70)
    expectClose(test.twoSided, 34 / 70)
  })

  test('large tables do not overflow', () => {
    const test = given(fisherExactTest({ successes: 5200, n: 10_000 }, { successes: 5000, n: 10_000 }))
    const z = given(twoProportionsTest({ successes: 5200, n: 10_000 }, { successes: 5000, n: 10_000 }))
    expectClose(test.twoSided, z.p, 0.05)
  })

  test('all or none: nothing to test by', () => {
    expect(twoProportionsTest({ successes: 0, n: 5 }, { successes: 0, n: 9 })).toEqual(unavailable('zero_variance'))
    expect(twoProportionsTest({ successes: 5, n: 5 }, { successes: 9, n: 9 })).toEqual(unavailable('zero_variance'))
    expect(fisherExactTest({ successes: 0, n: 0 }, { successes: 1, n: 2 })).toEqual(unavailable('no_data'))
    expect(() => twoProportionsTest({ successes: 6, n: 5 }, { successes: 0, n: 9 })).toThrow('6 of 5')
  })
})
