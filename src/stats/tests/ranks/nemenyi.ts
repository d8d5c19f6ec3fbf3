import { studentizedRangeQuantile } from '../../distributions/studentized-range.ts'
import { requireThat } from '../../estimate.ts'

/**
 * Systems whose average ranks differ by more than this differ at level alpha, over all pairs (Nemenyi 1963; Demšar
 * 2006, JMLR 7:1).
 */
export function criticalDistance(systems: number, tasks: number, alpha = 0.05): number {
  requireThat(systems >= 2 && tasks >= 1, 'two systems or more, on at least one task')
  const q = studentizedRangeQuantile(1 - alpha, systems) / Math.SQRT2
  return q * Math.sqrt((systems * (systems + 1)) / (6 * tasks))
}

/**
 * The largest sets of indistinguishable systems, best first: the bars of a critical-difference diagram. Systems are
 * indices into `averageRanks`.
 */
export function tiedGroups(averageRanks: readonly number[], distance: number): number[][] {
  const rankOf = (system: number | undefined) => averageRanks[system ?? 0] ?? 0
  const order = averageRanks.map((_, system) => system).sort((a, b) => rankOf(a) - rankOf(b))
  const groups: number[][] = []
  let covered = 0
  for (const [first, system] of order.entries()) {
    let end = first
    while (end < order.length && rankOf(order[end]) - rankOf(system) <= distance) end++
    if (end > covered && end - first > 1) groups.push(order.slice(first, end))
    covered = Math.max(covered, end)
  }
  return groups
}
