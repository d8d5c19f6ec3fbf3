/**
 * Counts subsets by their sum without listing them all: the subsets of each half are listed and sorted, and a walk
 * along both lists counts the pairs (Horowitz & Sahni 1974, J. ACM 21:277). Forty values take two million numbers, not
 * a million million.
 */
export interface HalfSums {
  /** By size of the subset, in increasing order. */
  readonly left: readonly Float64Array[]
  readonly right: readonly Float64Array[]
}

/** Of subsets of at most `most` values. */
export function halfSums(values: readonly number[], most: number): HalfSums {
  const middle = Math.floor(values.length / 2)
  const half = (part: readonly number[]) => sumsBySize(part, most).map(sums => Float64Array.from(sums).sort())
  return { left: half(values.slice(0, middle)), right: half(values.slice(middle)) }
}

/** Whether few enough subsets have to be listed: about a quarter of a second. */
export function canList(values: number, most: number): boolean {
  const half = Math.ceil(values / 2)
  let count = 0
  let ofSize = 1
  for (let size = 0; size <= Math.min(most, half); size++) {
    count += ofSize
    ofSize *= (half - size) / (size + 1)
  }
  return count <= 2 ** 18
}

/** How many subsets of `size` values have a sum of at least `threshold`. */
export function countDraws({ left, right }: HalfSums, size: number, threshold: number): number {
  let count = 0
  for (const [k, sums] of left.entries()) {
    const others = right[size - k]
    if (others !== undefined) count += countPairs(sums, others, threshold)
  }
  return count
}

/** How many pairs of an item of each list add up to at least `threshold`; both lists in increasing order. */
export function countPairs(low: Float64Array, high: Float64Array, threshold: number): number {
  let count = 0
  let reached = high.length
  for (const sum of low) {
    while (reached > 0 && sum + (high[reached - 1] ?? 0) >= threshold) reached--
    count += high.length - reached
  }
  return count
}

/** Sums of all subsets by their size, up to a size. */
export function sumsBySize(values: readonly number[], most: number): number[][] {
  const lists: number[][] = Array.from({ length: Math.min(values.length, most) + 1 }, () => [])
  lists[0]?.push(0)
  for (const [at, value] of values.entries())
    for (let size = Math.min(at + 1, most); size >= 1; size--)
      for (const sum of lists[size - 1] ?? []) lists[size]?.push(sum + value)
  return lists
}
