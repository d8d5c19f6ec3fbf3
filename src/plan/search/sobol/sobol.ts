import { mixBits, mixSeed } from '../../../util/random.ts'
import { directionNumbers, mostDimensions } from './direction-numbers.ts'

/** Any point of the sequence: an index in, a place in the unit cube out. */
export type SobolSequence = (index: number) => Float64Array

/**
 * Points that fill the unit cube evenly, however early one stops: I. M. Sobol 1967, in Gray code (Antonov and Saleev
 * 1979). Scrambled by the seed, so that no coordinate is exactly 0 and seeds differ: the lower bits are permuted
 * depending on the higher ones, by hashing (B. Burley 2020, "Practical hash-based Owen scrambling", JCGT 9(4)).
 * Dimensions beyond the table are plain random numbers.
 */
export function sobolSequence(dimensions: number, seed: number): SobolSequence {
  const tables = Array.from({ length: Math.min(dimensions, mostDimensions) }, (_, at) => directionNumbers(at))
  const scrambles = Array.from({ length: dimensions }, (_, at) => mixSeed(seed, 'sobol', at) ^ mixBits(at))
  return index => {
    const gray = index ^ (index >>> 1)
    return Float64Array.from(scrambles, (scramble, at) => {
      const table = tables[at]
      const bits =
        table === undefined ? mixBits(scramble ^ mixBits(index + 1)) : scrambled(sobolBits(table, gray), scramble)
      return (bits + 0.5) / 2 ** 32
    })
  }
}

/** The unscrambled coordinate, as a fraction of 2³². */
export function sobolBits(table: Uint32Array, gray: number): number {
  let bits = 0
  for (let bit = 0, rest = gray; rest !== 0; bit++, rest >>>= 1) if (rest & 1) bits ^= table[bit] ?? 0
  return bits >>> 0
}

/** Nested uniform scrambling of a base-2 fraction: the Laine–Karras permutation works upwards, so the bits are reversed. */
function scrambled(bits: number, seed: number): number {
  let x = reversed(bits)
  x = (x + seed) | 0
  x ^= Math.imul(x, 0x6c50b47c)
  x ^= Math.imul(x, 0xb82f1e52)
  x ^= Math.imul(x, 0xc7afe638)
  x ^= Math.imul(x, 0x8d22f6e6)
  return reversed(x)
}

function reversed(bits: number): number {
  let x = bits
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1)
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2)
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4)
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8)
  return ((x >>> 16) | (x << 16)) >>> 0
}
