import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passAtK, passHatK } from '../../../src/analyze/scores/pass-at-k.ts'

/** All ways to choose k of n rollouts, of which the first `passed` passed: counted, not computed. */
function enumerated(n: number, passed: number, k: number): { readonly any: number; readonly all: number } {
  let [subsets, any, all] = [0, 0, 0]
  for (let mask = 0; mask < 2 ** n; mask++) {
    const chosen = Array.from({ length: n }, (_, at) => at).filter(at => (mask >> at) % 2 === 1)
    if (chosen.length !== k) continue
    subsets++
    if (chosen.some(at => at < passed)) any++
    if (chosen.every(at => at < passed)) all++
  }
  return { any: any / subsets, all: all / subsets }
}

const choose = (n: number, k: number): bigint => {
  let [top, bottom] = [1n, 1n]
  for (let i = 0; i < k; i++) {
    top *= BigInt(Math.max(0, n - i))
    bottom *= BigInt(i + 1)
  }
  return top / bottom
}

/** A quotient of integers with 15 digits, however long they are. */
const quotient = (top: bigint, bottom: bigint): number => Number((top * 10n ** 30n) / bottom) / 1e30

describe('pass@k and pass^k', () => {
  test('are what counting every choice of k rollouts gives', () => {
    for (let n = 1; n <= 8; n++)
      for (let passed = 0; passed <= n; passed++)
        for (let k = 1; k <= n; k++) {
          const { any, all } = enumerated(n, passed, k)
          expect(passAtK(n, passed, k)).toBeCloseTo(any, 14)
          expect(passHatK(n, passed, k)).toBeCloseTo(all, 14)
        }
  })

  test('agree with exact binomial coefficients at sizes where those overflow a double', () => {
    const few = fc.tuple(fc.integer({ min: 1, max: 4000 }), fc.nat(4000), fc.integer({ min: 1, max: 400 }))
    fc.assert(
      fc.property(few, ([n, c, wanted]) => {
        const [passed, k] = [Math.min(c, n), Math.min(wanted, n)]
        const any = 1 - quotient(choose(n - passed, k), choose(n, k))
        expect(Math.abs((passAtK(n, passed, k) ?? Number.NaN) - any)).toBeLessThan(1e-12)
        const all = quotient(choose(passed, k), choose(n, k))
        expect(Math.abs((passHatK(n, passed, k) ?? Number.NaN) - all)).toBeLessThan(1e-12)
      }),
      { numRuns: 60 },
    )
  })

  test('keep small numbers: one pass in a billion', () => {
    expect(passAtK(1e9, 1, 1)).toBeCloseTo(1e-9, 22)
  })

  test.each([
    [10, 3, 1, 0.3, 0.3],
    [5, 5, 3, 1, 1],
    [5, 0, 3, 0, 0],
    [4, 2, 2, 5 / 6, 1 / 6],
    [200, 10, 100, 0.99918, 0],
  ])('of %i rollouts with %i passes at k=%i are %d and %d', (n, passed, k, any, all) => {
    expect(passAtK(n, passed, k)).toBeCloseTo(any, 4)
    expect(passHatK(n, passed, k)).toBeCloseTo(all, 12)
  })

  test('are not known with fewer than k rollouts', () => {
    expect([passAtK(3, 1, 4), passHatK(3, 3, 4)]).toEqual([null, null])
  })

  test.each([
    [3, 4, 1],
    [3, -1, 1],
    [3, 1, 0],
    [2.5, 1, 1],
  ])('refuse %d, %d, %d', (n, passed, k) => {
    expect(() => passAtK(n, passed, k)).toThrow(/whole numbers/)
  })
})
