import type { WordGenerator } from './random-source.ts'

/** Up to here 16 bits are enough: at most a third of the draws is rejected, and for most limits almost none. */
export const smallLimit = 2 ** 15

const blockSize = 1024

/**
 * Whole numbers below a small limit, two from each word: half the random bits, and nearly half the time, of a resample.
 * Unbiased, by Lemire's method on 16 bits.
 */
export function smallIndices(generator: WordGenerator): (limit: number, into: Int32Array) => void {
  const words = new Uint32Array(blockSize)
  let position = blockSize
  return (limit, into) => {
    const rejectBelow = 2 ** 16 % limit
    const last = into.length - 1
    let filled = 0
    while (filled <= last) {
      if (position === blockSize) {
        generator.fillWords(words)
        position = 0
      }
      // Local copies keep the inner loop in registers.
      let at = position
      for (; at < blockSize && filled < last; at++) {
        const word = words[at] ?? 0
        const lower = Math.imul(word & 0xffff, limit)
        const upper = Math.imul(word >>> 16, limit)
        // A rejected number is overwritten by the next one: an unpredictable branch would take longer.
        into[filled] = lower >>> 16
        filled += isKept(lower & 0xffff, rejectBelow)
        into[filled] = upper >>> 16
        filled += isKept(upper & 0xffff, rejectBelow)
      }
      // One is missing: the other half of its word stays unused.
      if (at < blockSize && filled === last) {
        const word = words[at++] ?? 0
        const lower = Math.imul(word & 0xffff, limit)
        const upper = Math.imul(word >>> 16, limit)
        into[filled] = (isKept(lower & 0xffff, rejectBelow) === 1 ? lower : upper) >>> 16
        filled += isKept(lower & 0xffff, rejectBelow) | isKept(upper & 0xffff, rejectBelow)
      }
      position = at
    }
  }
}

/** 1, or 0 for a number that must be drawn again. */
const isKept = (rest: number, rejectBelow: number): number => 1 + ((rest - rejectBelow) >> 31)
