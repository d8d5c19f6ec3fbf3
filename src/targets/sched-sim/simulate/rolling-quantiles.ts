/** Quantiles of the latest samples: a ring that knows the oldest sample, and the samples in order. */
export class RollingQuantiles {
  readonly #ring: Float64Array
  readonly #sorted: Float64Array
  #next = 0
  #count = 0

  constructor(window: number) {
    this.#ring = new Float64Array(window)
    this.#sorted = new Float64Array(window)
  }

  get count(): number {
    return this.#count
  }

  add(sample: number): void {
    if (this.#count === this.#ring.length) this.#remove(this.#ring[this.#next] ?? 0)
    this.#ring[this.#next] = sample
    this.#next = (this.#next + 1) % this.#ring.length
    const at = this.#firstAbove(sample)
    this.#sorted.copyWithin(at + 1, at, this.#count)
    this.#sorted[at] = sample
    this.#count++
  }

  /** The sample at place floor(q · n) in order; undefined while there is none. */
  quantile(q: number): number | undefined {
    return this.#count === 0 ? undefined : this.#sorted[Math.min(this.#count - 1, Math.floor(q * this.#count))]
  }

  #remove(sample: number): void {
    const at = this.#firstAbove(sample) - 1
    this.#sorted.copyWithin(at, at + 1, this.#count)
    this.#count--
  }

  #firstAbove(sample: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle] ?? 0) <= sample) low = middle + 1
      else high = middle
    }
    return low
  }
}
