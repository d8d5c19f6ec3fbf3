import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counterRandom, threefry } from '../../../src/stats/random/counter-random.ts'

test('the hash gives the answers published with Random123', () => {
  const hashed = (key: readonly [number, number], low: number, high: number): number[] => {
    const words = new Uint32Array(2)
    threefry(key, low, high, words, 0)
    return [...words]
  }
  expect(hashed([0, 0], 0, 0)).toEqual([0x6b200159, 0x99ba4efe])
  expect(hashed([0xffffffff, 0xffffffff], 0xffffffff, 0xffffffff)).toEqual([0x1cb996fc, 0xbb002be7])
  expect(hashed([0x13198a2e, 0x03707344], 0x243f6a88, 0x85a308d3)).toEqual([0xc4923a9c, 0x483df7a0])
})

test('whole numbers lie below their limit and real ones in [0, 1), whatever the seed', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 31 }), (seed, limit) => {
      const random = counterRandom(seed)
      const numbers = new Int32Array(33)
      random.fillBelow(limit, numbers)
      const real = random.next()
      expect(numbers.every(number => number >= 0 && number < limit)).toBe(true)
      expect(real >= 0 && real < 1).toBe(true)
    }),
  )
})

test('every number is equally likely, also where the limit does not divide 2^32', () => {
  const counts = new Float64Array(7)
  const numbers = new Int32Array(70_000)
  counterRandom(11).fillBelow(7, numbers)
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1
  const chiSquared = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
  // The 99.99th percentile of chi-squared with 6 degrees of freedom is 27.9.
  expect(chiSquared).toBeLessThan(27.9)
})

test('seeds and streams differ; the same of both does not', () => {
  const start = (seed: number, stream: number) => counterRandom(seed, stream).next()
  expect(start(1, 0)).toBe(start(1, 0))
  expect(new Set([start(1, 0), start(1, 1), start(2, 0), start(-1, 0), start(2 ** 40 + 1, 0)]).size).toBe(5)
})

test('a limit that is no count is refused', () => {
  expect(() => counterRandom(1).below(0)).toThrow('below 0')
  expect(() => counterRandom(1).below(Number.NaN)).toThrow('below NaN')
})
