import type { RandomSource, WordGenerator } from './random-source.ts'
import { sourceOfWords } from './source-of-words.ts'

/**
 * Our own generator for resampling: the n-th block is a keyed hash of n, so there is no state that could be hurt by
 * unlucky seeding, and streams of one seed are independent of each other.
 * Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3").
 */
export function counterRandom(seed: number, stream = 0): RandomSource {
  return sourceOfWords(threefryWords(seed, stream))
}

export function threefryWords(seed: number, stream: number): WordGenerator {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed ${seed}: expected a whole number within ±2^53`)
  const key: Pair = [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0]
  let block = 0
  return {
    fillWords(words) {
      for (let at = 0; at < words.length; at += 2) threefry(key, block++ >>> 0, stream >>> 0, words, at)
    },
  }
}

type Pair = readonly [number, number]

/** Hashes a counter of two words with a key of two words; 20 rounds, in five groups of four, a key word mixed in after each. */
export function threefry(key: Pair, low: number, high: number, out: Uint32Array, at: number): void {
  const [k0, k1] = key
  const k2 = k0 ^ k1 ^ 0x1bd11bda
  let a = (low + k0) | 0
  let b = (high + k1) | 0
  // The rotations and the schedule are written out: a loop over tables costs three times as much.
  a = (a + b) | 0
  b = ((b << 13) | (b >>> 19)) ^ a
  a = (a + b) | 0
  b = ((b << 15) | (b >>> 17)) ^ a
  a = (a + b) | 0
  b = ((b << 26) | (b >>> 6)) ^ a
  a = (a + b) | 0
  b = ((b << 6) | (b >>> 26)) ^ a
  a = (a + k1) | 0
  b = (b + k2 + 1) | 0
  a = (a + b) | 0
  b = ((b << 17) | (b >>> 15)) ^ a
  a = (a + b) | 0
  b = ((b << 29) | (b >>> 3)) ^ a
  a = (a + b) | 0
  b = ((b << 16) | (b >>> 16)) ^ a
  a = (a + b) | 0
  b = ((b << 24) | (b >>> 8)) ^ a
  a = (a + k2) | 0
  b = (b + k0 + 2) | 0
  a = (a + b) | 0
  b = ((b << 13) | (b >>> 19)) ^ a
  a = (a + b) | 0
  b = ((b << 15) | (b >>> 17)) ^ a
  a = (a + b) | 0
  b = ((b << 26) | (b >>> 6)) ^ a
  a = (a + b) | 0
  b = ((b << 6) | (b >>> 26)) ^ a
  a = (a + k0) | 0
  b = (b + k1 + 3) | 0
  a = (a + b) | 0
  b = ((b << 17) | (b >>> 15)) ^ a
  a = (a + b) | 0
  b = ((b << 29) | (b >>> 3)) ^ a
  a = (a + b) | 0
  b = ((b << 16) | (b >>> 16)) ^ a
  a = (a + b) | 0
  b = ((b << 24) | (b >>> 8)) ^ a
  a = (a + k1) | 0
  b = (b + k2 + 4) | 0
  a = (a + b) | 0
  b = ((b << 13) | (b >>> 19)) ^ a
  a = (a + b) | 0
  b = ((b << 15) | (b >>> 17)) ^ a
  a = (a + b) | 0
  b = ((b << 26) | (b >>> 6)) ^ a
  a = (a + b) | 0
  b = ((b << 6) | (b >>> 26)) ^ a
  out[at] = (a + k2) | 0
  out[at + 1] = (b + k0 + 5) | 0
}
