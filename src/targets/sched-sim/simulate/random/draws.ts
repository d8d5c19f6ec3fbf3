import { mixBits } from '../../../../util/random.ts'

/**
 * Random numbers of one attempt: a separate stream for each (seed, workflow, iteration, step, attempt). Whatever a
 * policy does, the same attempt takes the same time, so policies are compared on common random numbers. The generator
 * is xoshiro128++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
 */
export class Draws {
  readonly #seedLow: number
  readonly #seedHigh: number
  #a = 0
  #b = 0
  #c = 0
  #d = 0

  constructor(seed: bigint) {
    this.#seedLow = Number(seed & 0xffffffffn)
    this.#seedHigh = Number((seed >> 32n) & 0xffffffffn)
  }

  startAt(workflow: number, iteration: number, node: number, attempt: number): void {
    let key = mixBits(this.#seedLow ^ 0x9e3779b9)
    key = mixBits(key + this.#seedHigh)
    key = mixBits(key + Math.imul(workflow, 0x85ebca77))
    key = mixBits(key + Math.imul(iteration, 0xc2b2ae3d) + Math.imul(node, 0x27d4eb2f))
    key = mixBits(key + Math.imul(attempt, 0x165667b1))
    // A second, differently made word: 32 bits alone would meet again after some ten thousand attempts.
    let other = mixBits(this.#seedHigh ^ 0x7f4a7c15)
    other = mixBits(other + Math.imul(node, 0x9e3779b1) + Math.imul(attempt, 0x2545f491))
    other = mixBits(other + this.#seedLow)
    other = mixBits(other + Math.imul(workflow, 0x6c62272f) + Math.imul(iteration, 0x1b873593))
    this.#a = key
    this.#b = other
    this.#c = mixBits(key ^ 0x68bc21eb)
    this.#d = mixBits(other ^ 0x02e5be93) | 1
  }

  /** In [0, 1), with 53 random bits. */
  uniform(): number {
    return ((this.#next() >>> 5) * 67108864 + (this.#next() >>> 6)) / 9007199254740992
  }

  /** Box and Muller, the cosine of a pair. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()))
    return radius * Math.cos(2 * Math.PI * this.uniform())
  }

  #next(): number {
    const sum = (this.#a + this.#d) | 0
    const result = (((sum << 7) | (sum >>> 25)) + this.#a) | 0
    const shifted = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= shifted
    this.#d = (this.#d << 11) | (this.#d >>> 21)
    return result
  }
}
