import { largeIndices, largeLimit } from './large-indices.ts'
import type { RandomSource, WordGenerator } from './random-source.ts'
import { smallIndices, smallLimit } from './small-indices.ts'
import { sourceOfWords } from './source-of-words.ts'
import { type FourWords, fillThreefry } from './threefry.ts'

/**
 * Our own generator for resampling: the n-th block is a keyed hash of n, so there is no state that bad seeding could
 * harm, and streams of one seed are independent of each other. The same seed always gives the same numbers everywhere.
 */
export function counterRandom(seed: number, stream = 0): RandomSource {
  const generator = threefryWords(seed, stream)
  const source = sourceOfWords(generator)
  const fillSmall = smallIndices(generator)
  const fillLarge = largeIndices(generator)
  return {
    ...source,
    fillBelow(limit, into) {
      if (!Number.isInteger(limit) || limit < 1 || limit > largeLimit) source.fillBelow(limit, into)
      else if (limit <= smallLimit) fillSmall(limit, into)
      else fillLarge(limit, into)
    },
  }
}

function threefryWords(seed: number, stream: number): WordGenerator {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed ${seed}: expected a whole number within ±2^53`)
  const key: FourWords = [seed | 0, Math.floor(seed / 2 ** 32) | 0, stream | 0, 0]
  let blocks = 0
  return {
    fillWords(words) {
      fillThreefry(key, [blocks | 0, Math.floor(blocks / 2 ** 32) | 0, 0, 0], words)
      blocks += words.length / 4
    },
  }
}
