import type { Goal } from '../../stats/curves/reduction.ts'
import type { Comparison, EquivalenceFinding, Verdict } from './comparison.ts'

/**
 * A difference that is shown is better or worse by the goal. Otherwise, with a margin, the arms may be shown to be as good as
 * equal. Everything else is inconclusive: not having found a difference is not having found equality.
 */
export function verdictOf(
  { estimate, p, goal }: { readonly estimate: number | null; readonly p: number | null; readonly goal: Goal },
  equivalence: EquivalenceFinding | null,
  alpha: number,
): Verdict {
  if (equivalence?.equivalent) return 'equivalent'
  if (estimate === null || p === null || p > alpha || estimate === 0) return 'inconclusive'
  return isGood(estimate, goal) ? 'better' : 'worse'
}

export const isGood = (difference: number, goal: Goal): boolean =>
  goal === 'maximize' ? difference > 0 : difference < 0

/** Whether the answer is what was asked for. */
export function meets(comparison: Comparison, wanted: 'better' | 'not-worse' | 'equivalent'): boolean {
  switch (wanted) {
    case 'better':
      return comparison.verdict === 'better'
    case 'equivalent':
      return comparison.equivalence?.equivalent ?? false
    case 'not-worse':
      return comparison.verdict === 'better' || (comparison.equivalence?.not_worse ?? false)
  }
}
