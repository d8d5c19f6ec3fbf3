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

/** A random order of 0 … size − 1: position in, item out. */
export type Permutation = (position: number) => number

/**
 * A seeded random order of `size` items, any of which can be asked for at once.
 * Few items are shuffled, so that every order is equally likely; for many the order is computed, not stored.
 */
export function permutation(size: number, seed: number): Permutation {
  return size <= shuffledUpTo ? shuffle(size, seed) : feistel(size, seed)
}

const shuffledUpTo = 4096

function shuffle(size: number, seed: number): Permutation {
  const items = Uint16Array.from({ length: size }, (_, item) => item)
  const random = seededRandom(seed)
  for (let last = size - 1; last > 0; last--) {
    const chosen = random.integer(0, last)
    const item = items[chosen] ?? 0
    items[chosen] = items[last] ?? 0
    items[last] = item
  }
  return position => items[position] ?? 0
}

/**
 * A Feistel network on a grid of rows × columns just large enough, walking on while it lands outside
 * (Black & Rogaway 2002, "Ciphers with arbitrary finite domains", methods 2 and 3).
 * Each round moves one coordinate by a hash of the other, which can always be undone: so no item is met twice.
 */
function feistel(size: number, seed: number): Permutation {
  const rows = Math.ceil(Math.sqrt(size))
  const columns = Math.ceil(size / rows)
  const keys = Array.from({ length: 3 }, (_, round) => ({
    row: mixSeed(seed, round, 'row'),
    column: mixSeed(seed, round, 'column'),
  }))
  return position => {
    let item = position
    do {
      let row = Math.floor(item / columns)
      let column = item % columns
      for (const key of keys) {
        row = (row + mixBits(column ^ key.row)) % rows
        column = (column + mixBits(row ^ key.column)) % columns
      }
      item = row * columns + column
    } while (item >= size)
    return item
  }
}
