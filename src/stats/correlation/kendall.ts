import { compareNearly, midranks } from '../describe/ranks.ts'
import { unusableRanks } from '../describe/usable.ts'
import { normalSurvival } from '../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'

export interface KendallCorrelation {
  /** Tau-b: 1 if every pair of pairs is ordered alike, ties taken into account (Kendall 1945, Biometrika 33:239). */
  readonly estimate: number
  readonly p: Estimate<number>
  readonly method: 'exact' | 'normal'
  readonly concordant: number
  readonly discordant: number
}

const exactUpTo = 50

/**
 * The p-value counts all orders if there are no ties and at most 50 pairs, otherwise uses the normal with its
 * correction for ties.
 */
export function kendallCorrelation(x: readonly number[], y: readonly number[]): Estimate<KendallCorrelation> {
  requireThat(x.length === y.length, `pairs: as many values on both sides, not ${x.length} and ${y.length}`)
  const reason = unusableRanks(x, 2) ?? unusableRanks(y, 2)
  if (reason !== undefined) return reason
  const size = x.length
  let concordant = 0
  let discordant = 0
  for (let one = 1; one < size; one++)
    for (let other = 0; other < one; other++) {
      const agreement = compareNearly(x[one] ?? 0, x[other] ?? 0) * compareNearly(y[one] ?? 0, y[other] ?? 0)
      if (agreement > 0) concordant++
      if (agreement < 0) discordant++
    }
  const ties = { x: tieSizes(x), y: tieSizes(y) }
  const all = (size * (size - 1)) / 2
  const untied = { x: all - pairsIn(ties.x), y: all - pairsIn(ties.y) }
  if (untied.x === 0 || untied.y === 0) return unavailable('all_tied')
  const estimate = (concordant - discordant) / Math.sqrt(untied.x) / Math.sqrt(untied.y)
  const isExact = size <= exactUpTo && untied.x === all && untied.y === all
  const p = isExact ? exactP(size, Math.min(concordant, discordant)) : normalP(concordant - discordant, size, ties)
  return { estimate, p, method: isExact ? 'exact' : 'normal', concordant, discordant }
}

/** The share of all orders with this few discordant pairs or as few concordant ones: inversions counted by Mahonian numbers. */
function exactP(size: number, fewest: number): number {
  let counts = new Float64Array(1).fill(1)
  // Shares rather than counts: 50! does not fit, its reciprocal steps do.
  for (let length = 2; length <= size; length++) {
    const next = new Float64Array((length * (length - 1)) / 2 + 1)
    for (let at = 0; at < next.length; at++) {
      let sum = 0
      for (let back = Math.max(0, at - counts.length + 1); back <= Math.min(at, length - 1); back++)
        sum += counts[at - back] ?? 0
      next[at] = sum / length
    }
    counts = next
  }
  let tail = 0
  for (let at = 0; at <= fewest; at++) tail += counts[at] ?? 0
  return Math.min(1, 2 * tail)
}

/** Kendall 1970, "Rank correlation methods", §4.5. */
function normalP(
  score: number,
  size: number,
  { x, y }: { readonly x: readonly number[]; readonly y: readonly number[] },
): number {
  const total = (list: readonly number[], term: (count: number) => number) =>
    list.reduce((sum, count) => sum + term(count), 0)
  const fives = (count: number) => count * (count - 1) * (2 * count + 5)
  const twos = (count: number) => count * (count - 1)
  const threes = (count: number) => twos(count) * (count - 2)
  const variance =
    (fives(size) - total(x, fives) - total(y, fives)) / 18 +
    (total(x, twos) * total(y, twos)) / (2 * twos(size)) +
    (size > 2 ? (total(x, threes) * total(y, threes)) / (9 * threes(size)) : 0)
  return 2 * normalSurvival(Math.abs(score) / Math.sqrt(variance))
}

function tieSizes(values: readonly number[]): number[] {
  const counts = new Map<number, number>()
  for (const rank of midranks(values)) counts.set(rank, (counts.get(rank) ?? 0) + 1)
  return [...counts.values()]
}

function pairsIn(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0)
}
