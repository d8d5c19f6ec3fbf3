import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { passAtK, passHatK } from '../../../src/stats/scores/pass-at-k.ts'
import { passRate } from '../../../src/stats/scores/pass-rate.ts'

const task = (attempts: number, successes: number) => ({ attempts, successes })

// Of the 6 pairs among 4 attempts with 2 successes, 5 hold a success and 1 holds two.
test('counts the draws of k attempts with one success, and with successes only', () => {
  expect(passAtK(task(4, 2), 2)).toBeCloseTo(5 / 6, 12)
  expect(passHatK(task(4, 2), 2)).toBeCloseTo(1 / 6, 12)
})

test('thousands of attempts do not overflow', () => {
  expect(passAtK(task(5000, 1), 2500)).toBeCloseTo(0.5, 12)
  expect(passHatK(task(5000, 4999), 2500)).toBeCloseTo(0.5, 12)
})

test('k above the number of attempts cannot be estimated; impossible counts are errors', () => {
  expect(passAtK(task(3, 1), 5)).toEqual({ unavailable: 'too_few_values' })
  expect(passHatK(task(0, 0), 1)).toEqual({ unavailable: 'no_data' })
  expect(() => passAtK(task(3, 4), 1)).toThrow('0 to 3 successes')
  expect(() => passAtK(task(3, 1), 0)).toThrow('whole k')
})

test('pass@k grows with k and pass^k shrinks; they meet at k = 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(60), (attempts, wanted) => {
      const given = task(attempts, Math.min(wanted, attempts))
      const rates = Array.from(
        { length: attempts },
        (_, at) => [passAtK(given, at + 1), passHatK(given, at + 1)] as const,
      )
      expect(rates[0]?.[0]).toBeCloseTo(given.successes / attempts, 12)
      expect(rates[0]?.[1]).toBeCloseTo(given.successes / attempts, 12)
      for (let at = 1; at < rates.length; at++) {
        expect(Number(rates[at]?.[0])).toBeGreaterThanOrEqual(Number(rates[at - 1]?.[0]) - 1e-12)
        expect(Number(rates[at]?.[1])).toBeLessThanOrEqual(Number(rates[at - 1]?.[1]) + 1e-12)
      }
    }),
  )
})

test('over tasks: their mean, their error, and the tasks left out by name', () => {
  const rate = passRate([task(4, 2), task(4, 4), task(1, 1), task(4, 0)], 2)
  const values = [5 / 6, 1, 0]
  const mean = 11 / 18
  const error = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2 / 3)
  expect(rate).toMatchObject({ tasks: 3, excluded: [2] })
  if (!isAvailable(rate)) throw new Error('no rate')
  expect(rate.estimate).toBeCloseTo(mean, 12)
  expect(rate.standardError).toBeCloseTo(error, 12)
  // t(0.975, 2) = 4.302652…
  expect(rate.interval).toMatchObject({ low: expect.closeTo(mean - 4.3026527297 * error, 8) })
})

test('the bootstrap of tasks stays within 0 and 1', () => {
  const resampling = { random: counterRandom(1), resamples: 2000 }
  const rate = passRate([task(4, 2), task(4, 4), task(4, 0), task(4, 1)], 1, { succeed: 'all', resampling })
  if (!isAvailable(rate) || !isAvailable(rate.interval)) throw new Error('no interval')
  expect(rate.interval.low).toBeGreaterThanOrEqual(0)
  expect(rate.interval.high).toBeLessThanOrEqual(1)
})

test('all tasks solved, or one task, give a rate without an interval', () => {
  expect(passRate([task(2, 2), task(2, 2)], 1)).toMatchObject({
    estimate: 1,
    standardError: { unavailable: 'zero_variance' },
    interval: { unavailable: 'zero_variance' },
  })
  expect(passRate([task(2, 1)], 1)).toMatchObject({ standardError: { unavailable: 'too_few_values' } })
  expect(passRate([], 1)).toEqual({ unavailable: 'no_data' })
  expect(passRate([task(1, 1)], 2)).toEqual({ unavailable: 'too_few_values' })
})

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

test('both equal the enumeration of every choice of k attempts', () => {
  for (let n = 1; n <= 8; n++)
    for (let passed = 0; passed <= n; passed++)
      for (let k = 1; k <= n; k++) {
        const { any, all } = enumerated(n, passed, k)
        expect(passAtK(task(n, passed), k)).toBeCloseTo(any, 14)
        expect(passHatK(task(n, passed), k)).toBeCloseTo(all, 14)
      }
})

test('both agree with exact binomial coefficients at sizes where those overflow a double', () => {
  const few = fc.tuple(fc.integer({ min: 1, max: 4000 }), fc.nat(4000), fc.integer({ min: 1, max: 400 }))
  fc.assert(
    fc.property(few, ([n, c, wanted]) => {
      const [passed, k] = [Math.min(c, n), Math.min(wanted, n)]
      const any = 1 - quotient(choose(n - passed, k), choose(n, k))
      expect(Math.abs(Number(passAtK(task(n, passed), k)) - any)).toBeLessThan(1e-12)
      const all = quotient(choose(passed, k), choose(n, k))
      expect(Math.abs(Number(passHatK(task(n, passed), k)) - all)).toBeLessThan(1e-12)
    }),
    { numRuns: 60 },
  )
})

test('keeps small numbers: one success in a billion', () => {
  expect(passAtK(task(1e9, 1), 1)).toBeCloseTo(1e-9, 22)
})

test.each([
  [10, 3, 1, 0.3, 0.3],
  [5, 5, 3, 1, 1],
  [5, 0, 3, 0, 0],
  [200, 10, 100, 0.99918, 0],
])('%i attempts with %i successes at k=%i give %d and %d', (n, passed, k, any, all) => {
  expect(passAtK(task(n, passed), k)).toBeCloseTo(any, 4)
  expect(passHatK(task(n, passed), k)).toBeCloseTo(all, 12)
})
