import { type CallLine, type CallMovements, roundingUsd, type UnbookedCalls } from '../../define/permits.ts'
import type { AttemptResult, Run } from '../../define/run.ts'
import { number, numberOrNull, type RowOf } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { runColumns, runIn } from '../journal/stored.ts'

/** Whether one more reservation fits: the amounts spent and reserved and this one together stay within the budget. */
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
 * A budget that is set during a run also applies to running attempts: what they may still cost is reserved as if the
 * budget had been there when they started.
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

/** The columns of an attempt that are about money. */
const paidColumns = {
  id: number,
  /** What is still reserved for it. */
  reserved_usd: number,
  cap_usd: numberOrNull,
  /** What is already booked: for ended calls, assumed, or by a late result. */
  cost_usd: numberOrNull,
  /** Whether some of that was assumed. */
  cost_assumed: number,
  /** Whether it made calls that have no known price. */
  cost_unknown: number,
  /**
   * Whether everything that it spends goes through calls; the calls that are not booked, and how many of them have no
   * price.
   */
  pays_by_call: number,
  open_usd: number,
  open_unpriced: number,
}

type PaidAttempt = RowOf<typeof paidColumns>

/**
 * Ends an attempt's reservation and books its cost. If the cost is not known, the most that it can be is charged and
 * marked as assumed: it is never taken as 0. If that maximum is unknown too, the known part is booked and the cost
 * stays unknown. Anything beyond the attempt's cap is an overrun, and counts.
 */
export function settleMoney(journal: Journal, attempt: PaidAttempt, known: KnownCost, now: number): SettledMoney {
  const booked = attempt.cost_usd ?? 0
  const paysByCall = attempt.pays_by_call === 1
  // Ended calls are booked; any calls under way may have cost their maximum.
  const most = booked + (paysByCall ? attempt.open_usd : attempt.reserved_usd)
  const isAssumed = known.cost_usd === null && Math.max(known.cost_at_least_usd, most) > booked + roundingUsd
  const assumed = isAssumed || known.cost_assumed === true || (known.cost_usd === null && attempt.cost_assumed === 1)
  const cost = Math.max(booked, known.cost_usd ?? Math.max(known.cost_at_least_usd, most))
  release(journal, attempt.id, attempt.reserved_usd, now)
  charge(journal, attempt, cost, isAssumed || known.cost_assumed === true ? 'assumed' : 'charge', now)
  // An attempt that pays by call and is lost with nothing under way has cost exactly what is booked, even if that is
  // nothing.
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

/** Whether even the maximum cost of an attempt is unknown. */
function hasNoBound(attempt: PaidAttempt, { is_lost = false }: KnownCost): boolean {
  if (attempt.pays_by_call === 0) return attempt.reserved_usd === 0
  // A surviving attempt would have reported its cost if all its calls had prices.
  return attempt.cost_unknown === 1 || attempt.open_unpriced > 0 || !is_lost
}

export interface SettledMoney {
  readonly cost_usd: number | null
  /** What the ledger contains: all of it, or the known part of an unknown cost. */
  readonly booked_usd: number | null
  readonly unknown: boolean
  /** The part that had not been booked call by call. */
  readonly charged_usd: number
  readonly assumed: boolean
  /** What counts against the run's cap: without amounts assumed because a program did not report its cost. */
  readonly capped_usd: number
}

/** Releases a reservation. */
function release(journal: Journal, attemptId: number, usd: number, now: number): void {
  if (usd === 0) return
  book(journal, attemptId, 'release', usd, now)
  journal.run('UPDATE experiment SET reserved_usd = max(0, reserved_usd - ?)', usd)
}

/**
 * A late result of an attempt that was already settled (for example, as lost) may show that it cost more: then the
 * difference is charged. Money that was spent is booked in any case.
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
  // The process that took the attempt over need not assume anything.
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
  // An ended attempt is part of its run's cost, unless the run was made anew since.
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

/** Books the missing part of a cost, and the part above the attempt's cap. */
function charge(journal: Journal, attempt: PaidAttempt, cost: number, kind: 'charge' | 'assumed', now: number): void {
  const usd = cost - (attempt.cost_usd ?? 0)
  // Sums of calls differ from the sum of their ledger lines in the last digit.
  if (usd <= noiseUsd) return
  spend(journal, attempt, { kind, usd, overrunUsd: 0 }, now)
}

/** Far below the price of a token. */
const noiseUsd = 1e-12

type Spending = Pick<CallLine, 'kind' | 'usd' | 'overrunUsd'> & Partial<CallLine>

/** Spending beyond the attempt's cap, or beyond a call's own reservation, is an overrun. */
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

/** An attempt's known cost: all of it, or (null) only a lower bound. */
interface KnownCost extends Pick<AttemptResult, 'cost_usd' | 'cost_at_least_usd' | 'cost_assumed'> {
  /** Whether it ended without a result of its own. */
  readonly is_lost?: boolean
}

function book(journal: Journal, attemptId: number, kind: string, usd: number, now: number): void {
  journal.insert('INSERT INTO ledger (attempt_id, at, kind, usd) VALUES (?, ?, ?, ?)', attemptId, now, kind, usd)
}

/** The money of an attempt's calls during the attempt. */

interface AttemptOfWorker {
  readonly token: string
  readonly workerId: number
}

type CallReservation =
  | 'reserved'
  /** The budget is used up for now; calls under way, here or elsewhere, may leave some. */
  | 'wait'
  /** The budget is used up, and nothing is under way that could leave any. */
  | 'refused'
  /** Another process has taken the attempt over. */
  | 'taken_over'

/**
 * Reserves a call's maximum cost before it is sent, if the experiment's budget allows it. Part of a transaction: the
 * amounts spent, reserved and requested together never exceed the budget, whatever other processes do. The reservation
 * is made even without a budget, for calls that are under way when a budget is set.
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
 * Records all calls that are sent and not booked, before another call is sent. With or without a budget, no sent call
 * is taken as free after a crash.
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
 * Books the cost of an attempt's calls, and releases their reservations. After a crash, only calls under way have to be
 * assumed. If another process has settled the attempt, nothing is booked: its result will show the cost.
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

/** Only own attempts: tokens have no index, but a worker has few unfinished attempts. */
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
