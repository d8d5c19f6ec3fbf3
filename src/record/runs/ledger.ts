import { type CallLine, type CallMovements, roundingUsd, type UnbookedCalls } from '../../define/permits.ts'
import type { AttemptResult, Run } from '../../define/run.ts'
import { number, numberOrNull, type RowOf } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { runColumns, runIn } from '../journal/stored.ts'

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
export function reserveRunning(journal: Journal, capOf: (run: Run) => number | null, now: number): void {
  const running = journal.all(
    { id: number, cap_usd: numberOrNull, cost_usd: numberOrNull, ...runColumns },
    `SELECT a.id, a.cap_usd, a.cost_usd, r.key, r.name, r.spec
     FROM attempts a JOIN runs r ON r.id = a.run_id WHERE a.ended_at IS NULL AND a.reserved_usd = 0`,
  )
  for (const { id, cap_usd, cost_usd, ...row } of running) {
    const usd = Math.max(0, (cap_usd ?? capOf(runIn(row, journal)) ?? 0) - (cost_usd ?? 0))
    journal.run('UPDATE attempts SET reserved_usd = ? WHERE id = ?', usd, id)
    reserve(journal, id, usd, now)
  }
}

const totalColumns = { spent_usd: number, reserved_usd: number }

/** An attempt as far as its money goes. */
const paidColumns = {
  id: number,
  /** What is still set aside for it. */
  reserved_usd: number,
  cap_usd: numberOrNull,
  /** What is booked already: for calls that have ended, assumed, or by a late result. */
  cost_usd: numberOrNull,
  /** Whether some of that was assumed. */
  cost_assumed: number,
  /** Whether it made calls that have no known price. */
  cost_unknown: number,
  /** Whether all that it spends goes through calls; those that are not booked, and how many of them have no price. */
  pays_by_call: number,
  open_usd: number,
  open_unpriced: number,
}

type PaidAttempt = RowOf<typeof paidColumns>

/**
 * Ends an attempt's reservation and books what it cost. Where that is not known, the most that it can have cost is charged
 * and marked as assumed: it is never taken for nothing. Where the most is unknown too, what is known is booked, and
 * the cost stays unknown. What went beyond the attempt's cap is an overrun, and counts.
 */
export function settleMoney(journal: Journal, attempt: PaidAttempt, known: KnownCost, now: number): SettledMoney {
  const booked = attempt.cost_usd ?? 0
  const paysByCall = attempt.pays_by_call === 1
  // Calls that have ended are booked; whatever was under way may have cost all that it could.
  const most = booked + (paysByCall ? attempt.open_usd : attempt.reserved_usd)
  const isAssumed = known.cost_usd === null && Math.max(known.cost_at_least_usd, most) > booked + roundingUsd
  const assumed = isAssumed || known.cost_assumed === true || (known.cost_usd === null && attempt.cost_assumed === 1)
  const cost = Math.max(booked, known.cost_usd ?? Math.max(known.cost_at_least_usd, most))
  release(journal, attempt.id, attempt.reserved_usd, now)
  charge(journal, attempt, cost, isAssumed || known.cost_assumed === true ? 'assumed' : 'charge', now)
  // One that pays by call and is lost with nothing under way has cost what is booked, nothing included.
  const isKnown = known.cost_usd !== null || (paysByCall && !hasNoBound(attempt, known))
  const booked_usd = !isKnown && cost === 0 ? null : cost
  const isUnknown = known.cost_usd === null && booked_usd !== null && hasNoBound(attempt, known)
  return {
    cost_usd: isUnknown ? null : booked_usd,
    booked_usd,
    unknown: isUnknown,
    charged_usd: Math.max(0, cost - booked),
    assumed,
    capped_usd: known.cost_usd === null && !paysByCall ? Math.max(booked, known.cost_at_least_usd) : cost,
  }
}

/** Whether even the most that an attempt can have cost is unknown. */
function hasNoBound(attempt: PaidAttempt, { is_lost = false }: KnownCost): boolean {
  if (attempt.pays_by_call === 0) return attempt.reserved_usd === 0
  // One that lived to tell would have named its cost, had all its calls a price.
  return attempt.cost_unknown === 1 || attempt.open_unpriced > 0 || !is_lost
}

export interface SettledMoney {
  readonly cost_usd: number | null
  /** What the ledger has of it: all, or the known part of an unknown cost. */
  readonly booked_usd: number | null
  readonly unknown: boolean
  /** What of it had not been booked before, call by call. */
  readonly charged_usd: number
  readonly assumed: boolean
  /** What counts against the run's cap: not what was assumed because a program did not say what it has spent. */
  readonly capped_usd: number
}

/** Gives back what was set aside. */
function release(journal: Journal, attemptId: number, usd: number, now: number): void {
  if (usd === 0) return
  book(journal, attemptId, 'release', usd, now)
  journal.run('UPDATE experiment SET reserved_usd = max(0, reserved_usd - ?)', usd)
}

/**
 * A late result of an attempt that was already settled (taken for lost, say) may know that it cost more: what is missing
 * is charged. Money that was spent is booked in any case.
 */
export function settleLateMoney(
  journal: Journal,
  attempt: PaidAttempt & { readonly run_id: number; readonly ended_at: number | null; readonly capped_usd: number },
  known: KnownCost,
  now: number,
): void {
  const cost = known.cost_usd ?? known.cost_at_least_usd
  const isKnown = known.cost_usd !== null
  const isMore = cost > (attempt.cost_usd ?? 0)
  if (isMore) charge(journal, attempt, cost, 'charge', now)
  // The process that took the attempt over has nothing left to assume.
  if (isKnown && attempt.ended_at === null) {
    release(journal, attempt.id, attempt.reserved_usd, now)
    journal.run('UPDATE attempts SET reserved_usd = 0 WHERE id = ?', attempt.id)
  }
  if (!isMore) return
  journal.run(
    'UPDATE attempts SET cost_usd = ?, capped_usd = max(capped_usd, ?), cost_assumed = cost_assumed AND ? WHERE id = ?',
    cost,
    cost,
    isKnown ? 0 : 1,
    attempt.id,
  )
  // An attempt that has ended is part of what its run has cost, unless the run was made anew since.
  if (attempt.ended_at === null) return
  journal.run(
    `UPDATE runs SET cost_usd = cost_usd + ?, capped_usd = capped_usd + ?
     WHERE id = ? AND counts_from <= (SELECT number FROM attempts WHERE id = ?)`,
    cost - (attempt.cost_usd ?? 0),
    Math.max(0, cost - attempt.capped_usd),
    attempt.run_id,
    attempt.id,
  )
}

/** Books what is missing of a cost, and what of it lies above the attempt's cap. */
function charge(journal: Journal, attempt: PaidAttempt, cost: number, kind: 'charge' | 'assumed', now: number): void {
  const usd = cost - (attempt.cost_usd ?? 0)
  // Sums of calls differ from the sum of their lines in the last digit.
  if (usd <= noiseUsd) return
  spend(journal, attempt, { kind, usd, overrunUsd: 0 }, now)
}

/** Far below the price of a token. */
const noiseUsd = 1e-12

type Spending = Pick<CallLine, 'kind' | 'usd' | 'overrunUsd'> & Partial<CallLine>

/** What is spent beyond the attempt's cap, or beyond what was set aside for a call of its own, is an overrun. */
function spend(journal: Journal, attempt: PaidAttempt, line: Spending, now: number): void {
  const booked = attempt.cost_usd ?? 0
  const aboveCap = (usd: number) => Math.max(0, usd - (attempt.cap_usd ?? 0))
  const overrun = attempt.cap_usd === null ? line.overrunUsd : aboveCap(booked + line.usd) - aboveCap(booked)
  const { kind, usd, purpose = null, model = null, calls = null, tokens } = line
  journal.insert(
    `INSERT INTO ledger (attempt_id, at, kind, usd, overrun_usd, purpose, model, calls, input_tokens,
       cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    attempt.id,
    now,
    kind,
    usd,
    overrun,
    purpose,
    model,
    calls,
    tokens?.input_tokens ?? null,
    tokens?.cached_input_tokens ?? null,
    tokens?.cache_write_tokens ?? null,
    tokens?.output_tokens ?? null,
    tokens?.reasoning_tokens ?? null,
  )
  journal.run('UPDATE experiment SET spent_usd = spent_usd + ?, overrun_usd = overrun_usd + ?', usd, overrun)
}

/** What is known of an attempt's cost: all of it, or (null) only that it was at least so much. */
interface KnownCost extends Pick<AttemptResult, 'cost_usd' | 'cost_at_least_usd' | 'cost_assumed'> {
  /** Whether it ended without a result of its own. */
  readonly is_lost?: boolean
}

function book(journal: Journal, attemptId: number, kind: string, usd: number, now: number): void {
  journal.insert('INSERT INTO ledger (attempt_id, at, kind, usd) VALUES (?, ?, ?, ?)', attemptId, now, kind, usd)
}

/** The money of an attempt's calls, while the attempt goes on. */

interface AttemptOfWorker {
  readonly token: string
  readonly workerId: number
}

type CallReservation =
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
  const totals = journal.get(totalColumns, 'SELECT spent_usd, reserved_usd FROM experiment')
  if (totals === undefined) return 'taken_over'
  if (!fitsBudget(totals, call.usd, call.budgetUsd)) return totals.reserved_usd > roundingUsd ? 'wait' : 'refused'
  reserve(journal, row.id, call.usd, call.now)
  journal.run('UPDATE attempts SET reserved_usd = reserved_usd + ? WHERE id = ?', call.usd, row.id)
  return 'reserved'
}

/**
 * Writes down, before a call goes out, all calls that were sent and are not booked. With or without a budget: after a
 * crash nothing that was sent is taken for nothing.
 */
export function writeUnbooked(journal: Journal, { token, workerId }: AttemptOfWorker, unbooked: UnbookedCalls): void {
  const { calls, tokens, usd, unpriced } = unbooked
  journal.run(
    `UPDATE attempts SET open_calls = ?, open_tokens = ?, open_usd = ?, open_unpriced = ?
     WHERE worker_id = ? AND ended_at IS NULL AND token = ?`,
    ...[calls, tokens, usd, unpriced, workerId, token],
  )
}

/**
 * Books what calls of an attempt have cost, and gives back what was set aside for them. After a crash, only what was
 * under way has to be assumed. Where another process has settled the attempt, nothing is booked: its result will tell.
 */
export function bookCalls(
  journal: Journal,
  attempt: AttemptOfWorker,
  movements: CallMovements,
  unbooked: UnbookedCalls,
  now: number,
): void {
  const row = attemptOf(journal, attempt)
  if (row === undefined) return
  let booked = row.cost_usd ?? 0
  const cost = movements.lines.reduce((sum, { usd }) => sum + usd, 0)
  const released = Math.min(row.reserved_usd, movements.releaseUsd ?? cost)
  release(journal, row.id, released, now)
  for (const line of movements.lines) {
    spend(journal, { ...row, cost_usd: booked }, line, now)
    booked += line.usd
  }
  journal.run(
    `UPDATE attempts SET cost_usd = ?, cost_assumed = max(cost_assumed, ?), cost_unknown = max(cost_unknown, ?),
       reserved_usd = max(0, reserved_usd - ?), calls = calls + ?, tokens = tokens + ? WHERE id = ?`,
    booked,
    movements.lines.some(({ kind, usd }) => kind === 'assumed' && usd > 0) ? 1 : 0,
    movements.isUnknown ? 1 : 0,
    released,
    movements.calls,
    movements.tokens,
    row.id,
  )
  writeUnbooked(journal, attempt, unbooked)
}

/** Only one's own: tokens have no index, but the unfinished attempts of a worker are few. */
function attemptOf(journal: Journal, { token, workerId }: AttemptOfWorker): PaidAttempt | undefined {
  return journal.get(
    paidColumns,
    `SELECT id, reserved_usd, cap_usd, cost_usd, cost_assumed, cost_unknown, pays_by_call, open_usd, open_unpriced
     FROM attempts
     WHERE worker_id = ? AND ended_at IS NULL AND token = ?`,
    workerId,
    token,
  )
}
