import type { AttemptResult } from '../../define/job.ts'
import type { Journal } from '../journal/journal.ts'

/** Smaller than any price, larger than the rounding of sums: keeps 10 × 0.1 within a budget of 1. */
const roundingUsd = 1e-9

/** Whether one more reservation fits: what is spent, what is promised and this one together stay within the budget. */
export function fitsBudget(
  totals: { readonly spent_usd: number; readonly reserved_usd: number },
  boundUsd: number,
  budgetUsd: number | null,
): boolean {
  return budgetUsd === null || totals.spent_usd + totals.reserved_usd + boundUsd <= budgetUsd + roundingUsd
}

/** Sets money aside for an attempt. Part of the transaction that claims it. */
export function reserve(journal: Journal, attemptId: number, usd: number, now: number): void {
  if (usd === 0) return
  book(journal, attemptId, 'reserve', usd, now)
  journal.run('UPDATE experiment SET reserved_usd = reserved_usd + ?', usd)
}

/**
 * A budget that comes while runs are under way holds for them too: what they may still cost is set aside as if it had
 * been there when they started.
 */
export function reserveRunning(journal: Journal, capUsd: number | null, now: number): void {
  const running = journal.all<{ id: number; usd: number }>(
    `SELECT id, coalesce(cap_usd, ?) AS usd FROM attempts WHERE ended_at IS NULL AND reserved_usd = 0`,
    capUsd ?? 0,
  )
  for (const { id, usd } of running) {
    journal.run('UPDATE attempts SET reserved_usd = ? WHERE id = ?', usd, id)
    reserve(journal, id, usd, now)
  }
}

/**
 * Ends an attempt's reservation and books what it cost. An unknown cost is charged the whole reservation and marked
 * as assumed: it is never taken for nothing. What went beyond the attempt's cap is an overrun, and counts.
 */
export function settleMoney(
  journal: Journal,
  attempt: {
    readonly id: number
    readonly reserved_usd: number
    readonly cap_usd: number | null
    /** Booked already, by a late result. */
    readonly cost_usd: number | null
  },
  known: KnownCost,
  now: number,
): { readonly cost_usd: number | null; readonly assumed: boolean } {
  const unknownCost = Math.max(known.cost_at_least_usd, attempt.reserved_usd)
  const assumed = known.cost_usd === null && unknownCost > 0
  const cost = known.cost_usd ?? (assumed ? unknownCost : null)
  if (attempt.reserved_usd > 0) book(journal, attempt.id, 'release', attempt.reserved_usd, now)
  const missing = Math.max(0, (cost ?? 0) - (attempt.cost_usd ?? 0))
  if (missing > 0) book(journal, attempt.id, assumed ? 'assumed' : 'charge', missing, now)
  const overrun = cost === null || attempt.cap_usd === null ? 0 : Math.max(0, cost - attempt.cap_usd)
  if (attempt.reserved_usd > 0 || cost !== null)
    journal.run(
      `UPDATE experiment SET reserved_usd = max(0, reserved_usd - ?), spent_usd = spent_usd + ?, overrun_usd = overrun_usd + ?`,
      attempt.reserved_usd,
      missing,
      overrun,
    )
  return { cost_usd: cost, assumed }
}

/**
 * A late result of an attempt that was already settled (taken for lost, say) may know that it cost more: what is missing
 * is charged. Money that was spent is booked, whoever was right about the rest.
 */
export function settleLateMoney(
  journal: Journal,
  attempt: { readonly id: number; readonly cost_usd: number | null },
  known: KnownCost,
  now: number,
): void {
  const missing = (known.cost_usd ?? known.cost_at_least_usd) - (attempt.cost_usd ?? 0)
  if (missing <= 0) return
  book(journal, attempt.id, 'charge', missing, now)
  journal.run('UPDATE attempts SET cost_usd = coalesce(cost_usd, 0) + ? WHERE id = ?', missing, attempt.id)
  journal.run('UPDATE experiment SET spent_usd = spent_usd + ?', missing)
}

/** What is known of an attempt's cost: all of it, or (null) only that it was at least so much. */
export type KnownCost = Pick<AttemptResult, 'cost_usd' | 'cost_at_least_usd'>

function book(journal: Journal, attemptId: number, kind: string, usd: number, now: number): void {
  journal.insert('INSERT INTO ledger (attempt_id, at, kind, usd) VALUES (?, ?, ?, ?)', attemptId, now, kind, usd)
}
