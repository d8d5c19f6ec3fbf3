import { type CallMovements, roundingUsd } from '../../define/permits.ts'
import type { Journal } from '../journal/journal.ts'
import { charge, fitsBudget, type PaidAttempt, release, reserve } from './ledger.ts'

/** The money of an attempt's calls, while the attempt goes on. */

export interface AttemptOfWorker {
  readonly token: string
  readonly workerId: number
}

export type CallReservation =
  | 'reserved'
  /** No room now; calls that are under way, here or elsewhere, may leave some. */
  | 'wait'
  /** No room, and nothing is under way that could leave any. */
  | 'refused'
  /** Another process has taken the attempt over. */
  | 'taken_over'

/**
 * Sets a call's upper bound aside before it goes out, if the experiment's budget has room for it. Part of a transaction:
 * what is spent, promised and asked for together never passes the budget, whatever other processes do. Without a budget
 * it is set aside in any case: for calls that were under way when the budget came.
 */
export function reserveCall(
  journal: Journal,
  attempt: AttemptOfWorker,
  call: { readonly usd: number; readonly budgetUsd: number | null; readonly now: number },
): CallReservation {
  const row = attemptOf(journal, attempt)
  if (row === undefined) return 'taken_over'
  const totals = journal.get<{ spent_usd: number; reserved_usd: number }>(
    'SELECT spent_usd, reserved_usd FROM experiment',
  )
  if (totals === undefined) return 'taken_over'
  if (!fitsBudget(totals, call.usd, call.budgetUsd)) return totals.reserved_usd > roundingUsd ? 'wait' : 'refused'
  reserve(journal, row.id, call.usd, call.now)
  journal.run('UPDATE attempts SET reserved_usd = reserved_usd + ? WHERE id = ?', call.usd, row.id)
  return 'reserved'
}

/**
 * Books what calls of an attempt have cost, and gives back what was set aside for them. After a crash, only what was
 * under way has to be assumed. Where another process has settled the attempt, nothing is booked: its result will tell.
 */
export function bookCalls(journal: Journal, attempt: AttemptOfWorker, movements: CallMovements, now: number): void {
  const row = attemptOf(journal, attempt)
  if (row === undefined) return
  const booked = row.cost_usd ?? 0
  const cost = movements.chargeUsd + movements.assumedUsd
  const released = Math.min(row.reserved_usd, movements.releaseUsd ?? cost)
  release(journal, row.id, released, now)
  charge(journal, row, booked + movements.chargeUsd, 'charge', now)
  charge(journal, { ...row, cost_usd: booked + movements.chargeUsd }, booked + cost, 'assumed', now)
  journal.run(
    `UPDATE attempts SET cost_usd = ?, cost_assumed = max(cost_assumed, ?), reserved_usd = max(0, reserved_usd - ?),
       calls = calls + ?, tokens = tokens + ? WHERE id = ?`,
    booked + cost,
    movements.assumedUsd > 0 ? 1 : 0,
    released,
    movements.calls,
    movements.tokens,
    row.id,
  )
}

/** Only one's own: tokens have no index, but the unfinished attempts of a worker are few. */
function attemptOf(journal: Journal, { token, workerId }: AttemptOfWorker): PaidAttempt | undefined {
  return journal.get<PaidAttempt>(
    `SELECT id, reserved_usd, cap_usd, cost_usd, cost_assumed FROM attempts
     WHERE worker_id = ? AND ended_at IS NULL AND token = ?`,
    workerId,
    token,
  )
}
