/**
 * The parts of Python's `random.Random(seed)` that an order of instances needs, bit for bit: the Mersenne Twister
 * MT19937 (M. Matsumoto and T. Nishimura 1998, ACM Trans. Model. Comput. Simul. 8:3), seeded by `init_by_array` with
 * the absolute value of an integer, and numbers below n drawn by rejection like CPython's `_randbelow`.
 */
export class PythonRandom {
  readonly #state = new Uint32Array(size)
  #next = size

  constructor(seed: number) {
    this.#seedBy(wordsOf(seed))
  }

  /** Of 1 to 32 bits. */
  getrandbits(bits: number): number {
    return this.#word() >>> (32 - bits)
  }

  /** From 0 up to, and without, n, which is at most 2³². */
  below(n: number): number {
    const bits = Math.floor(Math.log2(n)) + 1
    let drawn = this.getrandbits(bits)
    while (drawn >= n) drawn = this.getrandbits(bits)
    return drawn
  }

  /** The items in the order that `shuffle` would leave them in. */
  shuffled<T>(items: readonly T[]): T[] {
    const shuffled = [...items]
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.below(last + 1)
      const [one, two] = [shuffled[last] as T, shuffled[other] as T]
      shuffled[last] = two
      shuffled[other] = one
    }
    return shuffled
  }

  #seedBy(key: readonly number[]): void {
    const state = this.#state
    state[0] = 19_650_218
    for (let at = 1; at < size; at++) state[at] = Math.imul(1_812_433_253, mixed(this.#at(at - 1))) + at
    let [i, j] = [1, 0]
    for (let left = Math.max(size, key.length); left > 0; left--) {
      state[i] = (this.#at(i) ^ Math.imul(mixed(this.#at(i - 1)), 1_664_525)) + (key[j] ?? 0) + j
      i = this.#following(i)
      j = (j + 1) % key.length
    }
    for (let left = size - 1; left > 0; left--) {
      state[i] = (this.#at(i) ^ Math.imul(mixed(this.#at(i - 1)), 1_566_083_941)) - i
      i = this.#following(i)
    }
    state[0] = 0x80000000
  }

  #at(index: number): number {
    return this.#state[index] ?? 0
  }

  #following(index: number): number {
    if (index + 1 < size) return index + 1
    this.#state[0] = this.#at(size - 1)
    return 1
  }

  #word(): number {
    if (this.#next === size) this.#twist()
    let word = this.#at(this.#next++)
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return (word ^ (word >>> 18)) >>> 0
  }

  #twist(): void {
    for (let at = 0; at < size; at++) {
      const word = (this.#at(at) & 0x80000000) | (this.#at((at + 1) % size) & 0x7fffffff)
      this.#state[at] = this.#at((at + middle) % size) ^ (word >>> 1) ^ (word & 1 ? 0x9908b0df : 0)
    }
    this.#next = 0
  }
}

const size = 624
const middle = 397

const mixed = (word: number): number => word ^ (word >>> 30)

/** 32 bits at a time, the lowest first; at least one. */
function wordsOf(seed: number): readonly number[] {
  const words: number[] = []
  for (let rest = Math.abs(seed); rest > 0 || words.length === 0; rest = Math.floor(rest / 2 ** 32))
    words.push(rest % 2 ** 32)
  return words
}

/** The text of a Python slice: `:3`, `10:20`, `::2`, `-5:`; a number alone is an end. null: it is not a slice. */
export function pythonSlice(text: string): (<T>(items: readonly T[]) => T[]) | null {
  const parts = text.trim() === '' ? [''] : text.split(':')
  if (parts.length > 3 || parts.some(part => !/^\s*([+-]?\d+)?\s*$/.test(part))) return null
  const [first, second, third] = parts.map(part => (part.trim() === '' ? null : Number(part)))
  const [start = null, stop = null, step = null] = parts.length === 1 ? [null, first] : [first, second, third]
  return step === 0 ? null : items => sliced(items, start, stop, step ?? 1)
}

function sliced<T>(items: readonly T[], start: number | null, stop: number | null, step: number): T[] {
  const { length } = items
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1]
  const place = (index: number | null, usual: number): number =>
    index === null ? usual : Math.min(high, Math.max(low, index < 0 ? index + length : index))
  const from = place(start, step > 0 ? low : high)
  const to = place(stop, step > 0 ? high : low)
  const taken: T[] = []
  for (let at = from; step > 0 ? at < to : at > to; at += step) taken.push(items[at] as T)
  return taken
}
