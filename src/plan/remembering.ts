/** Remembers what was made for each index, if there are few enough. */
export function remembering<T>(count: number, make: (index: number) => T): (index: number) => T {
  if (count > keptUpTo) return make
  const made: (T | undefined)[] = new Array(count).fill(undefined)
  return index => {
    const known = made[index]
    if (known !== undefined) return known
    const value = make(index)
    made[index] = value
    return value
  }
}

/** About 30 MB of variants. */
const keptUpTo = 2 ** 15
