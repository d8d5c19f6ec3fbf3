/** Items by key, lowest first; with equal keys, the earlier one, or the one with the lowest place. A binary heap. */
export class Heap<Item> {
  #keys = new Float64Array(256)
  #places = new Float64Array(256)
  readonly #items: Item[] = []
  #pushed = 0

  get size(): number {
    return this.#items.length
  }

  /** The lowest key; infinite when there is nothing. */
  get firstKey(): number {
    return this.#items.length === 0 ? Number.POSITIVE_INFINITY : (this.#keys[0] ?? 0)
  }

  get first(): Item | undefined {
    return this.#items[0]
  }

  push(key: number, item: Item, place = this.#pushed++): void {
    let at = this.#items.length
    this.#items.push(item)
    if (at >= this.#keys.length) this.#grow()
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(key, place, parent)) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, key, place, item)
  }

  pop(): Item | undefined {
    const first = this.#items[0]
    const last = this.#items.length - 1
    if (last < 0) return undefined
    const item = this.#items.pop() as Item
    if (last > 0) this.#sink(this.#keys[last] ?? 0, this.#places[last] ?? 0, item)
    return first
  }

  /** Puts an item at the top and lets it down to its place. */
  #sink(key: number, place: number, item: Item): void {
    const size = this.#items.length
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && this.#isBefore(this.#keys[child + 1] ?? 0, this.#places[child + 1] ?? 0, child)) child++
      if (this.#isBefore(key, place, child)) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, key, place, item)
  }

  #isBefore(key: number, place: number, other: number): boolean {
    const otherKey = this.#keys[other] ?? 0
    return key < otherKey || (key === otherKey && place < (this.#places[other] ?? 0))
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#keys[from] ?? 0, this.#places[from] ?? 0, this.#items[from] as Item)
  }

  #put(at: number, key: number, place: number, item: Item): void {
    this.#keys[at] = key
    this.#places[at] = place
    this.#items[at] = item
  }

  #grow(): void {
    this.#keys = doubled(this.#keys)
    this.#places = doubled(this.#places)
  }
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2)
  larger.set(values)
  return larger
}
