/**
 * A map of the few things that are under way. A `Map` whose entries come and go all the time keeps those it has lost
 * alive: V8 gives it a new table every few entries, each old table points to the next, and once one of them is old
 * enough only a full collection ends the chain. With a thousand runs a second that was half of all memory.
 */
export class SmallMap<Key, Value> {
  readonly #entries: { readonly key: Key; value: Value }[] = []

  get size(): number {
    return this.#entries.length
  }

  get(key: Key): Value | undefined {
    return this.#entries.find(entry => entry.key === key)?.value
  }

  set(key: Key, value: Value): void {
    const known = this.#entries.find(entry => entry.key === key)
    if (known === undefined) this.#entries.push({ key, value })
    else known.value = value
  }

  /** Whether the key was in the map. */
  delete(key: Key): boolean {
    const index = this.#entries.findIndex(entry => entry.key === key)
    if (index >= 0) this.#entries.splice(index, 1)
    return index >= 0
  }

  /** In order of insertion; a copy, so that the map may change during iteration. */
  entries(): [Key, Value][] {
    return this.#entries.map(({ key, value }) => [key, value])
  }

  values(): Value[] {
    return this.#entries.map(({ value }) => value)
  }
}

/** The largest of any number of values: `Math.max(...values)` ends with a stack overflow at about a hundred thousand. */
export const largestOf = (values: Iterable<number>): number => {
  let largest = Number.NEGATIVE_INFINITY
  for (const value of values) largest = Math.max(largest, value)
  return largest
}

export const smallestOf = (values: Iterable<number>): number => {
  let smallest = Number.POSITIVE_INFINITY
  for (const value of values) smallest = Math.min(smallest, value)
  return smallest
}
