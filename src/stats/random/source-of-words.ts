import type { RandomSource, WordGenerator } from './random-source.ts'

const blockSize = 1024

/**
 * Random numbers from 32-bit words, consumed as in numpy's Generator: words are the low and high half of a 64-bit
 * output in turn; a real number takes a new pair and keeps an unused half for the next whole number. Whole numbers
 * below a limit are unbiased (Lemire 2019, "Fast random integer generation in an interval").
 */
export function sourceOfWords(generator: WordGenerator): RandomSource {
  const words = new Uint32Array(blockSize)
  let position = blockSize
  let spare = -1

  const freshPair = (): number => {
    if (position === blockSize) {
      generator.fillWords(words)
      position = 0
    }
    position += 2
    return position - 2
  }
  const word = (): number => {
    if (spare >= 0) {
      const left = spare
      spare = -1
      return left
    }
    const at = freshPair()
    spare = words[at + 1] ?? 0
    return words[at] ?? 0
  }
  const below = (limit: number): number => {
    checkLimit(limit)
    // Like numpy: a single possible number consumes no random bits.
    if (limit === 1) return 0
    let drawn = word()
    let low = Math.imul(drawn, limit) >>> 0
    if (low < limit) {
      const rejectBelow = (2 ** 32 - limit) % limit
      while (low < rejectBelow) {
        drawn = word()
        low = Math.imul(drawn, limit) >>> 0
      }
    }
    return highWord(drawn, limit, low)
  }
  return {
    next() {
      const at = freshPair()
      return ((words[at + 1] ?? 0) * 2 ** 21 + ((words[at] ?? 0) >>> 11)) * 2 ** -53
    },
    below,
    fillBelow(limit, into) {
      checkLimit(limit)
      let filled = 0
      // The common case, without a function call for each number: no unused half, and far from rejection.
      while (limit > 1 && filled < into.length) {
        if (spare >= 0 || position >= blockSize || filled + 2 > into.length) {
          into[filled++] = below(limit)
          continue
        }
        const first = words[position] ?? 0
        const second = words[position + 1] ?? 0
        const firstLow = Math.imul(first, limit) >>> 0
        const secondLow = Math.imul(second, limit) >>> 0
        if (firstLow < limit || secondLow < limit) {
          into[filled++] = below(limit)
          continue
        }
        into[filled++] = highWord(first, limit, firstLow)
        into[filled++] = highWord(second, limit, secondLow)
        position += 2
      }
      if (limit === 1) into.fill(0)
    },
  }
}

/** The upper 32 bits of drawn × limit, whose lower 32 are known: the product is exact in a double up to 2^53. */
function highWord(drawn: number, limit: number, low: number): number {
  if (limit <= 2 ** 21) return (drawn * limit - low) * 2 ** -32
  const upper = (drawn >>> 16) * limit
  const lower = (drawn & 0xffff) * limit
  return Math.floor((upper + Math.floor(lower / 2 ** 16)) / 2 ** 16)
}

function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 31)
    throw new RangeError(`random whole numbers below ${limit}: expected a whole number from 1 to 2^31`)
}
