import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Random numbers that are the same wherever the seed is the same. */
export interface Random {
  /** In [0, 1), with 53 random bits. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number
}

export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(mixSeed(seed))
  return {
    next: () => uniformFloat64(generator),
    integer: (low, high) => uniformInt(generator, low, high),
  }
}

/** One seed out of several things, non-negative and of 31 bits: what every language accepts as a seed. */
export function mixSeed(...parts: readonly (string | number)[]): number {
  const text = JSON.stringify(parts)
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixBits(hash ^ text.length) >>> 1
}

/** Every bit of the answer depends on every bit of the number: the finalizer of MurmurHash3 (Appleby, public domain). */
export function mixBits(bits: number): number {
  let mixed = bits
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
