import { isAvailable } from '../../../stats/estimate.ts'
import { criticalDistance, friedmanTest, type Goal, tiedGroups } from '../../../stats/index.ts'

/** Variants by their ranks in each block, regardless of distances: as in a critical-difference diagram. */
export interface FriedmanFinding {
  /**
   * For the hypothesis that all variants are equal (Iman and Davenport's form of Friedman's test; Friedman's own if
   * blocks agree fully).
   */
  readonly p: number
  readonly test: 'Iman–Davenport' | 'Friedman'
  readonly average_ranks: readonly { readonly variation_id: number; readonly rank: number }[]
  /** Variants whose average ranks differ by more than this differ significantly, over all pairs (Nemenyi). */
  readonly critical_distance: number
  /** The largest sets of variants whose ranks do not differ significantly, best first. */
  readonly groups: readonly (readonly number[])[]
}

/** `scores[variant][block]`; null if ranks show nothing: two variants, one block, or only ties. */
export function friedmanOf(
  scores: readonly (readonly number[])[],
  ids: readonly number[],
  { goal, alpha }: { readonly goal: Goal; readonly alpha: number },
): FriedmanFinding | null {
  const blocks = scores[0]?.length ?? 0
  if (scores.length < 3) return null
  const rows = Array.from({ length: blocks }, (_, block) => scores.map(own => own[block] ?? Number.NaN))
  const found = friedmanTest(rows, goal === 'maximize')
  if (!isAvailable(found)) return null
  const { averageRanks, imanDavenport } = found
  const distance = criticalDistance(scores.length, blocks, alpha)
  return {
    p: isAvailable(imanDavenport) ? imanDavenport.p : found.p,
    test: isAvailable(imanDavenport) ? 'Iman–Davenport' : 'Friedman',
    average_ranks: averageRanks.map((rank, at) => ({ variation_id: ids[at] ?? 0, rank })),
    critical_distance: distance,
    groups: tiedGroups(averageRanks, distance).map(group => group.map(at => ids[at] ?? 0)),
  }
}
