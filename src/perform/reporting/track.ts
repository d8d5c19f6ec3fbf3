/** Points that are kept of one metric, at most; a series of more is thinned evenly. */
export const mostPoints = 100_000

interface Kept {
  readonly index: number
  readonly step: number
  readonly value: number
}

/**
 * The values of a metric over time, in memory that does not grow with their number: past {@link mostPoints} every other
 * point is dropped, again and again. The first, the last, the lowest and the highest are always kept.
 */
export class Track {
  /** How many there were. */
  count = 0
  #steps: number[] = []
  #values: number[] = []
  #every = 1
  #last: Kept | null = null
  #lowest: Kept | null = null
  #highest: Kept | null = null

  /** Without a step it follows the last: a result returned after steps 10 to 200 must not go back to step 20. */
  add(step: number | null, value: number): void {
    const next = this.#last === null ? 0 : Math.max(this.count, this.#last.step + 1)
    const point = { index: this.count, step: step ?? next, value }
    if (this.count % this.#every === 0) {
      this.#steps.push(point.step)
      this.#values.push(value)
    }
    this.count++
    this.#last = point
    if (this.#lowest === null || value < this.#lowest.value) this.#lowest = point
    if (this.#highest === null || value > this.#highest.value) this.#highest = point
    if (this.#values.length > mostPoints) this.thin()
  }

  get last(): number | undefined {
    return this.#last?.value
  }

  /** How many are in memory. */
  get kept(): number {
    return this.#values.length
  }

  /** 1: every point is kept; 4: every fourth. */
  get every(): number {
    return this.#every
  }

  thin(): void {
    this.#every *= 2
    this.#steps = this.#steps.filter((_, index) => index % 2 === 0)
    this.#values = this.#values.filter((_, index) => index % 2 === 0)
  }

  series(): { readonly steps: readonly number[]; readonly values: readonly number[] } {
    if (this.#every === 1) return { steps: this.#steps, values: this.#values }
    const points = this.#values.map((value, at) => ({ index: at * this.#every, step: this.#steps[at] ?? 0, value }))
    for (const special of [this.#lowest, this.#highest, this.#last])
      if (special !== null && special.index % this.#every !== 0 && !points.some(({ index }) => index === special.index))
        points.push(special)
    points.sort((a, b) => a.index - b.index)
    return { steps: points.map(({ step }) => step), values: points.map(({ value }) => value) }
  }
}
