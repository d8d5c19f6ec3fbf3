/** Values closer than this, relative to their size, count as equal: 0.71 − 0.68 and 0.03 are the same difference. */
const tieWithin = 1e-12

/**
 * Ranks 1 … n; equal values share the mean of their ranks. Infinite values rank at the ends. `tolerance` is absolute
 * and is added to the relative one: for the rounding error of the values' own computation.
 */
export function midranks(values: readonly number[], tolerance = 0): number[] {
  const ranks = new Array<number>(values.length)
  let below = 0
  for (const group of tieGroups(values, tolerance)) {
    for (const at of group) ranks[at] = below + (group.length + 1) / 2
    below += group.length
  }
  return ranks
}

/** Σ (t³ − t) over groups of t tied values: the reduction of a rank sum's variance by ties. */
export function tieCorrection(ranks: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1)
  let total = 0
  for (const count of counts.values()) total += count ** 3 - count
  return total
}

/** Positions of equal values, from the lowest value to the highest. */
function tieGroups(values: readonly number[], tolerance = 0): number[][] {
  const order = values.map((_, at) => at).sort((a, b) => compare(values[a] ?? 0, values[b] ?? 0))
  const groups: number[][] = []
  let first = Number.NaN
  for (const at of order) {
    const value = values[at] ?? Number.NaN
    const group = groups.at(-1)
    // Compared with the first of the group, so that a chain of close neighbours does not tie its ends.
    if (group !== undefined && isTie(first, value, tolerance)) group.push(at)
    else {
      groups.push([at])
      first = value
    }
  }
  return groups
}

/** How a compares with b, near ties counting as equal: −1, 0 or 1. */
export function compareNearly(a: number, b: number): -1 | 0 | 1 {
  return isTie(a, b, 0) ? 0 : a < b ? -1 : 1
}

function isTie(a: number, b: number, tolerance: number): boolean {
  const apart = Math.abs(b - a)
  return (
    a === b || (Number.isFinite(apart) && apart <= Math.max(tolerance, tieWithin * Math.min(Math.abs(a), Math.abs(b))))
  )
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
