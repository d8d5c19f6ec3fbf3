/**
 * The probability of each sum if every weight is included or not by the toss of a coin. Weights are whole numbers;
 * `sums[s]` is P(sum = s). Computed by dynamic programming: adding a weight shifts the distribution and averages it
 * with itself.
 */
export function coinSums(weights: readonly number[]): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const sums = new Float64Array(total + 1)
  sums[0] = 1
  let reached = 0
  for (const weight of weights) {
    reached += weight
    for (let s = reached; s >= 0; s--) sums[s] = 0.5 * ((sums[s] ?? 0) + (s >= weight ? (sums[s - weight] ?? 0) : 0))
  }
  return sums
}

/**
 * The probability of each sum if `size` of the weights are drawn without replacement. Subtracting the smallest weight
 * from all shifts every sum of a fixed size equally: `offset` is that shift.
 */
export function drawSums(
  weights: readonly number[],
  size: number,
): { readonly sums: Float64Array; readonly offset: number } {
  const least = leastOf(weights)
  const excess = weights.map(weight => weight - least)
  const width = largestDraw(excess, size) + 1
  const counts = new Float64Array((size + 1) * width)
  counts[0] = 1
  // In increasing order the largest sum of k weights so far is that of the last k.
  const reached = new Float64Array(size + 1)
  for (const [at, weight] of excess.sort((a, b) => a - b).entries()) {
    for (let k = Math.min(size, at + 1); k >= 1; k--) {
      const here = k * width
      const before = here - width - weight
      reached[k] = (reached[k - 1] ?? 0) + weight
      for (let s = reached[k] ?? 0; s >= weight; s--)
        counts[here + s] = (counts[here + s] ?? 0) + (counts[before + s] ?? 0)
    }
  }
  const sums = counts.slice(size * width)
  const all = sums.reduce((sum, count) => sum + count, 0)
  return { sums: sums.map(count => count / all), offset: least * size }
}

/** The number of additions of `drawSums`. */
export function drawCost(weights: readonly number[], size: number): number {
  const least = leastOf(weights)
  return (
    weights.length *
    size *
    largestDraw(
      weights.map(weight => weight - least),
      size,
    )
  )
}

function largestDraw(weights: readonly number[], size: number): number {
  const descending = [...weights].sort((a, b) => b - a)
  return descending.slice(0, size).reduce((sum, weight) => sum + weight, 0)
}

/**
 * P(sum ≥ s) and P(sum ≤ s), each added from its small end. The observed sum has a positive probability, however small.
 */
export function tailsAt(sums: Float64Array, s: number): { readonly atLeast: number; readonly atMost: number } {
  let atLeast = 0
  for (let i = sums.length - 1; i >= s; i--) atLeast += sums[i] ?? 0
  let atMost = 0
  for (let i = 0; i <= s; i++) atMost += sums[i] ?? 0
  const possible = (chance: number): number => Math.min(1, Math.max(Number.MIN_VALUE, chance))
  return { atLeast: possible(atLeast), atMost: possible(atMost) }
}

/** Midranks are halves: as whole numbers, with the factor used. */
export function wholeRanks(ranks: readonly number[]): { readonly weights: readonly number[]; readonly factor: number } {
  const factor = ranks.every(Number.isInteger) ? 1 : 2
  return { weights: ranks.map(rank => rank * factor), factor }
}

function leastOf(weights: readonly number[]): number {
  return weights.reduce((least, weight) => Math.min(least, weight), Infinity)
}
