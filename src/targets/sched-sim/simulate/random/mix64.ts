/** A 64-bit word as two unsigned halves: BigInt would take most of a simulation's time. */
export interface Word {
  readonly high: number
  readonly low: number
}

export const wordOf = (value: bigint): Word => ({
  high: Number((value >> 32n) & 0xffffffffn),
  low: Number(value & 0xffffffffn),
})

export const xor = (a: Word, b: Word): Word => ({ high: (a.high ^ b.high) >>> 0, low: (a.low ^ b.low) >>> 0 })

/** The low 64 bits of the product. */
export function multiply(a: Word, b: Word): Word {
  const a0 = a.low & 0xffff
  const a1 = a.low >>> 16
  const b0 = b.low & 0xffff
  const b1 = b.low >>> 16
  const low = a0 * b0
  const middle = a1 * b0 + Math.floor(low / 65536)
  const carry = Math.floor(middle / 65536)
  const middleLow = (middle & 0xffff) + a0 * b1
  const high =
    (a1 * b1 + carry + Math.floor(middleLow / 65536) + Math.imul(a.high, b.low) + Math.imul(a.low, b.high)) >>> 0
  return { high, low: (((middleLow & 0xffff) << 16) | (low & 0xffff)) >>> 0 }
}

/** The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
export function mix64(word: Word): Word {
  const first = multiply(shiftedXor(word, 30), { high: 0xbf58476d, low: 0x1ce4e5b9 })
  const second = multiply(shiftedXor(first, 27), { high: 0x94d049bb, low: 0x133111eb })
  return shiftedXor(second, 31)
}

/** A word xor itself, moved right by fewer than 32 bits. */
const shiftedXor = ({ high, low }: Word, bits: number): Word => ({
  high: (high ^ (high >>> bits)) >>> 0,
  low: (low ^ ((low >>> bits) | (high << (32 - bits)))) >>> 0,
})
