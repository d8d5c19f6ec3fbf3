import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { type FourWords, fillThreefry } from '../../../src/stats/random/threefry.ts'

test('the hash gives the answers published with Random123', () => {
  const hashed = (key: FourWords, counter: FourWords): string[] => {
    const words = new Uint32Array(4)
    fillThreefry(key, counter, words)
    return Array.from(words, word => word.toString(16))
  }
  const ones: FourWords = [-1, -1, -1, -1]
  expect(hashed([0, 0, 0, 0], [0, 0, 0, 0])).toEqual(['9c6ca96a', 'e17eae66', 'fc10ecd4', '5256a7d8'])
  expect(hashed(ones, ones)).toEqual(['2a881696', '57012287', 'f6c7446e', 'a16a6732'])
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

// One limit or two for each number of bits that is drawn: 16, 19, 21, 24, 32. Those that are no power of two reject often.
test.each([7, 3000, 21_846, 2 ** 15, 104_858, 419_431, 3_355_444, 3 * 2 ** 29])(
  'numbers below %i fall equally often into each seventh',
  limit => {
    const counts = new Float64Array(7)
    const numbers = new Int32Array(70_000)
    counterRandom(11).fillBelow(limit, numbers)
    for (const number of numbers) {
      const seventh = Math.floor((number / limit) * 7)
      counts[seventh] = (counts[seventh] ?? 0) + 1
    }
    const chiSquared = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    // The 99.99th percentile of chi-squared with 6 degrees of freedom is 27.9.
    expect(chiSquared).toBeLessThan(27.9)
  },
)

test('seeds and streams differ; the same of both does not', () => {
  const start = (seed: number, stream: number) => counterRandom(seed, stream).next()
  expect(start(1, 0)).toBe(start(1, 0))
  expect(new Set([start(1, 0), start(1, 1), start(2, 0), start(-1, 0), start(2 ** 40 + 1, 0)]).size).toBe(5)
})

test('a limit that is not a count is refused', () => {
  expect(() => counterRandom(1).below(0)).toThrow('below 0')
  expect(() => counterRandom(1).below(Number.NaN)).toThrow('below NaN')
})

// Never to change: a seed in a report must give the numbers of that report for good.
test('the numbers of a seed', () => {
  const random = counterRandom(2026)
  const small = new Int32Array(8)
  const large = new Int32Array(4)
  const huge = new Int32Array(4)
  random.fillBelow(500, small)
  random.fillBelow(1e6, large)
  random.fillBelow(1e7, huge)
  expect([...small]).toEqual([243, 260, 487, 313, 306, 133, 467, 328])
  expect([...large]).toEqual([325963, 486853, 570643, 225993])
  expect([...huge]).toEqual([8661236, 7221469, 9420692, 6222179])
  expect([random.next(), random.below(10)]).toEqual([0.898453883215382, 7])
  expect([counterRandom(2026, 1).next(), counterRandom(-1).next()]).toEqual([0.9024953601692768, 0.6981671366859027])
})
