import type { RandomSource, WordGenerator } from './random-source.ts'
import { seedSequenceWords } from './seed-sequence.ts'
import { sourceOfWords } from './source-of-words.ts'

/** The numbers of numpy's `default_rng(seed)`: `fillBelow` is its `integers(0, limit, size)`, `next` its `random()`. */
export function numpyRandom(seed: number | bigint): RandomSource {
  return sourceOfWords(pcg64Words(seed))
}

/**
 * PCG64: a 128-bit linear congruential generator whose output is its two halves xor-ed and rotated by its upper six bits
 * (O'Neill 2014, "PCG: a family of simple fast space-efficient statistically good algorithms", XSL-RR 128/64).
 * The state is held in six digits of 24 bits: their products and sums stay below 2^53, so they are exact in doubles,
 * which is ten times faster than BigInt.
 */
function pcg64Words(seed: number | bigint): WordGenerator {
  const { state, increment } = seededState(seed)
  const [i0, i1, i2, i3, i4, i5] = digitsOf(increment)
  let digits = digitsOf(state)
  return {
    fillWords(words) {
      let [s0, s1, s2, s3, s4, s5] = digits
      for (let at = 0; at < words.length; at += 2) {
        const d0 = s0 * m0 + i0
        const d1 = s0 * m1 + s1 * m0 + i1 + Math.floor(d0 * oneDigitDown)
        const d2 = s0 * m2 + s1 * m1 + s2 * m0 + i2 + Math.floor(d1 * oneDigitDown)
        const d3 = s0 * m3 + s1 * m2 + s2 * m1 + s3 * m0 + i3 + Math.floor(d2 * oneDigitDown)
        const d4 = s0 * m4 + s1 * m3 + s2 * m2 + s3 * m1 + s4 * m0 + i4 + Math.floor(d3 * oneDigitDown)
        const d5 = s0 * m5 + s1 * m4 + s2 * m3 + s3 * m2 + s4 * m1 + s5 * m0 + i5 + Math.floor(d4 * oneDigitDown)
        s0 = d0 & 0xffffff
        s1 = d1 & 0xffffff
        s2 = d2 & 0xffffff
        s3 = d3 & 0xffffff
        s4 = d4 & 0xffffff
        s5 = d5 & 0xff
        // Four digits of 24 bits are three words of 32.
        const low = (s0 | (s1 << 24)) ^ ((s2 >>> 16) | (s3 << 8))
        const high = ((s1 >>> 8) | (s2 << 16)) ^ (s4 | (s5 << 24))
        const rotation = s5 >>> 2
        const by = rotation & 31
        const first = by === 0 ? low : (low >>> by) | (high << (32 - by))
        const second = by === 0 ? high : (high >>> by) | (low << (32 - by))
        words[at] = rotation < 32 ? first : second
        words[at + 1] = rotation < 32 ? second : first
      }
      digits = [s0, s1, s2, s3, s4, s5]
    },
  }
}

type Digits = readonly [number, number, number, number, number, number]

const oneDigitDown = 2 ** -24
const multiplier = 0x2360ed051fc65da44385df649fccf645n
const [m0, m1, m2, m3, m4, m5] = digitsOf(multiplier)

/**
 * Seeded as in numpy: 64-bit words, the upper half first; the increment made odd; the state stepped before and after
 * adding.
 */
function seededState(seed: number | bigint): { state: bigint; increment: bigint } {
  const words = seedSequenceWords(seed, 8)
  const long = (at: number): bigint => (BigInt(words[2 * at + 1] ?? 0) << 32n) | BigInt(words[2 * at] ?? 0)
  const modulo = (value: bigint): bigint => BigInt.asUintN(128, value)
  const increment = modulo((((long(2) << 64n) | long(3)) << 1n) | 1n)
  const start = modulo(increment + ((long(0) << 64n) | long(1)))
  return { state: modulo(start * multiplier + increment), increment }
}

function digitsOf(value: bigint): Digits {
  const digit = (at: number): number => Number((value >> BigInt(24 * at)) & 0xffffffn)
  return [digit(0), digit(1), digit(2), digit(3), digit(4), digit(5)]
}
