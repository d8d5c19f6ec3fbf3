/**
 * Counting subsets by their sum without listing all 2ⁿ: those of each half are listed and sorted, and a walk along both lists
 * counts the pairs (Horowitz & Sahni 1974, J. ACM 21:277). Forty values cost two million numbers, not a million million.
 */
export interface HalfSums {
  /** By size of the subset, in increasing order. */
  readonly left: readonly Float64Array[]
  readonly right: readonly Float64Array[]
}

/** More values than this are sampled. */
export const mostListed = 36

export function halfSums(values: readonly number[]): HalfSums {
  const middle = Math.floor(values.length / 2)
  return { left: sumsBySize(values.slice(0, middle)), right: sumsBySize(values.slice(middle)) }
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

/** How many pairs of an item of each list add up to at least `threshold`. */
export function countPairs(low: Float64Array, high: Float64Array, threshold: number): number {
  let count = 0
  let reached = high.length
  for (const sum of low) {
    while (reached > 0 && sum + (high[reached - 1] ?? 0) >= threshold) reached--
    count += high.length - reached
  }
  return count
}

function sumsBySize(values: readonly number[]): Float64Array[] {
  const lists: number[][] = Array.from({ length: values.length + 1 }, () => [])
  for (let subset = 0; subset < 2 ** values.length; subset++) {
    let sum = 0
    let size = 0
    for (const [at, value] of values.entries()) {
      if ((subset >> at) & 1) {
        sum += value
        size++
      }
    }
    lists[size]?.push(sum)
  }
  return lists.map(list => Float64Array.from(list).sort())
}
