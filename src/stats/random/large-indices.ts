import type { WordGenerator } from './random-source.ts'

/** Above it each number takes a whole word: 4 million units. */
export const largeLimit = 2 ** 22

/**
 * Whole numbers below a limit too large for 16 bits: with as few bits as possible, so that twice the units take hardly
 * more than twice the time. Unbiased, by Lemire's method on that many bits; less than a quarter is rejected.
 */
export function largeIndices(generator: WordGenerator): (limit: number, into: Int32Array) => void {
  const fills = new Map<Packing, Fill>()
  return (limit, into) => {
    const packing = packings.find(({ bits }) => limit <= 2 ** (bits - 2)) ?? widest
    const fill = fills.get(packing) ?? fillWith(packing, generator)
    fills.set(packing, fill)
    fill(limit, into)
  }
}

type Fill = (limit: number, into: Int32Array) => void

/** Numbers of this many bits, taken from words in groups. */
interface Packing {
  readonly bits: number
  readonly words: number
  readonly numbers: number
  /** Writes the accepted numbers of the group at `at` from position `filled` on; returns the next position. */
  readonly take: (words: Uint32Array, at: number, into: Int32Array, filled: number, draw: Draw) => number
}

/** How a number of this many bits becomes one below the limit. */
interface Draw {
  readonly limit: number
  /** limit / 2^bits, which is exact. */
  readonly share: number
  readonly rejectBelow: number
}

function fillWith({ bits, words: group, numbers, take }: Packing, generator: WordGenerator): Fill {
  const words = new Uint32Array(512 * group)
  const rest = new Int32Array(numbers)
  let position = words.length
  return (limit, into) => {
    const draw = { limit, share: limit * 2 ** -bits, rejectBelow: 2 ** bits % limit }
    const { length } = into
    let filled = 0
    while (filled < length) {
      if (position === words.length) {
        generator.fillWords(words)
        position = 0
      }
      // A local copy keeps the inner loop in registers.
      let at = position
      for (; at < words.length && filled + numbers <= length; at += group) filled = take(words, at, into, filled, draw)
      if (at < words.length && filled < length) {
        const count = Math.min(take(words, at, rest, 0, draw), length - filled)
        into.set(rest.subarray(0, count), filled)
        filled += count
        at += group
      }
      position = at
    }
  }
}

/** 1, or 0 for a number that must be drawn again; without a branch, which random data would make slow. */
const isKept = (number: number, mask: number, { limit, rejectBelow }: Draw): number =>
  1 + (((Math.imul(number, limit) & mask) - rejectBelow) >> 31)

const [bits19, bits21, bits24] = [0x7ffff, 0x1fffff, 0xffffff] as const

const widest: Packing = {
  bits: 24,
  words: 3,
  numbers: 4,
  take(words, at, into, from, draw) {
    const a = words[at] ?? 0
    const b = words[at + 1] ?? 0
    const c = words[at + 2] ?? 0
    const first = a & bits24
    const second = ((a >>> 24) | (b << 8)) & bits24
    const third = ((b >>> 16) | (c << 16)) & bits24
    const fourth = c >>> 8
    let filled = from
    into[filled] = first * draw.share
    filled += isKept(first, bits24, draw)
    into[filled] = second * draw.share
    filled += isKept(second, bits24, draw)
    into[filled] = third * draw.share
    filled += isKept(third, bits24, draw)
    into[filled] = fourth * draw.share
    return filled + isKept(fourth, bits24, draw)
  },
}

/** The narrowest with two spare bits is used. */
const packings: readonly Packing[] = [
  {
    bits: 19,
    words: 3,
    numbers: 5,
    take(words, at, into, from, draw) {
      const a = words[at] ?? 0
      const b = words[at + 1] ?? 0
      const c = words[at + 2] ?? 0
      const first = a & bits19
      const second = ((a >>> 19) | (b << 13)) & bits19
      const third = (b >>> 6) & bits19
      const fourth = ((b >>> 25) | (c << 7)) & bits19
      const fifth = c >>> 13
      let filled = from
      into[filled] = first * draw.share
      filled += isKept(first, bits19, draw)
      into[filled] = second * draw.share
      filled += isKept(second, bits19, draw)
      into[filled] = third * draw.share
      filled += isKept(third, bits19, draw)
      into[filled] = fourth * draw.share
      filled += isKept(fourth, bits19, draw)
      into[filled] = fifth * draw.share
      return filled + isKept(fifth, bits19, draw)
    },
  },
  {
    bits: 21,
    words: 2,
    numbers: 3,
    take(words, at, into, from, draw) {
      const a = words[at] ?? 0
      const b = words[at + 1] ?? 0
      const first = a & bits21
      const second = ((a >>> 21) | (b << 11)) & bits21
      const third = b >>> 11
      let filled = from
      into[filled] = first * draw.share
      filled += isKept(first, bits21, draw)
      into[filled] = second * draw.share
      filled += isKept(second, bits21, draw)
      into[filled] = third * draw.share
      return filled + isKept(third, bits21, draw)
    },
  },
  widest,
]
