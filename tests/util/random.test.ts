import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mixSeed, seededRandom } from '../../src/util/random.ts'

test('the same seed gives the same numbers, another seed others', () => {
  const three = (seed: number) => Array.from({ length: 3 }, seededRandom(seed).next)
  expect(three(1)).toEqual(three(1))
  expect(three(1)).not.toEqual(three(2))
})

test('numbers stay in their range', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(50), (seed, low, width) => {
      const random = seededRandom(seed)
      const number = random.next()
      const whole = random.integer(low, low + width)
      expect(number >= 0 && number < 1 && whole >= low && whole <= low + width).toBe(true)
    }),
  )
})

test('a mixed seed has 31 bits, and depends on types and order of its parts', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), parts => {
      const seed = mixSeed(...parts)
      expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true)
    }),
  )
  expect(new Set([mixSeed(1), mixSeed('1'), mixSeed(1, 2), mixSeed(2, 1), mixSeed(12)]).size).toBe(5)
})

test('similar seeds are mixed to seeds that rarely collide', () => {
  const seeds = new Set(Array.from({ length: 10_000 }, (_, block) => mixSeed(7, `{"task":${block}}`, 1)))
  expect(seeds.size).toBeGreaterThan(9_995)
})
