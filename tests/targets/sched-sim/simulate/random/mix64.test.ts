import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mix64, multiply, type Word, wordOf, xor } from '../../../../../src/targets/sched-sim/simulate/random/mix64.ts'

const mask = (1n << 64n) - 1n
const big = ({ high, low }: Word) => (BigInt(high) << 32n) | BigInt(low)
const word = fc.bigInt({ min: 0n, max: mask })

test('words multiply and mix like 64-bit integers', () => {
  const mixed = (value: bigint) => {
    let z = value
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask
    return z ^ (z >> 31n)
  }
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(big(wordOf(a))).toBe(a)
      expect(big(xor(wordOf(a), wordOf(b)))).toBe(a ^ b)
      expect(big(multiply(wordOf(a), wordOf(b)))).toBe((a * b) & mask)
      expect(big(mix64(wordOf(a)))).toBe(mixed(a))
    }),
    { seed: 1, numRuns: 500 },
  )
})
