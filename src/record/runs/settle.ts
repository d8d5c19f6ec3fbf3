import { cutOff } from '../../define/outcome.ts'
import type { AttemptMode, AttemptResult, Reading, Series, Spent } from '../../define/run.ts'
import { attemptMode, number, numberOrNull, type RowOf, text, textOrNull } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { isNumber, mapIn } from '../journal/stored.ts'
import { isOfAnother } from '../read/standing.ts'
import { type SettledMoney, settleLateMoney, settleMoney } from './ledger.ts'

/** The state of a run after an attempt; decided by the engine, written here. */
export interface NextState {
  readonly state: 'ready' | 'finished' | 'quarantined'
  /** On the machine's monotonic clock; 0: at once, in the order of the plan. */
  readonly readyAt: number
  /** Automatic retries used, by class of failure. */
  readonly retries: { readonly [kind: string]: number }
  /** How it failed, and how often in a row. */
  readonly failure: string | null
  readonly failures: number
  /** The limit that cut it, so that raising the limit makes it ready again. */
  readonly cutAt: number | null
  /** The kind of the next attempt, if there is one. */
  readonly mode: AttemptMode
}

export interface RunHistory {
  /** The kind of the attempt that ended. */
  readonly mode: AttemptMode
  readonly retries: { readonly [kind: string]: number }
  readonly failure: string | null
  readonly failures: number
  /** Whether it belongs to a trial of a search, whose stopper depends on the order of runs. */
  readonly isOfTrial?: boolean
}

/** The class of an attempt whose process ended before it: its result is unknown. */
export const lostClass = 'lost'

/** The class of an attempt that was taken from its machine: a cluster preempted it, or it never began. */
export const takenAwayClass = 'taken_away'

/** The failure recorded for a run whose attempt was lost with its process. */
export const lostFailure = `cancelled:${lostClass}`

/** An attempt's result; for a lost one the time is unknown. */
export type SettledResult = Omit<AttemptResult, 'wall_s'> & { readonly wall_s: number | null }

interface Settled extends SettledMoney {
  readonly next: NextState
}

/**
 * Settles a result in one transaction: its cost is always booked. A late result of an attempt that was replaced, or
 * that another worker has taken over, is kept as superseded; otherwise its metrics, series and outcome and the run's
 * next state are recorded.
 */
export function settleAttempt(
  journal: Journal,
  result: SettledResult,
  workerId: number,
  decide: (history: RunHistory) => NextState,
  now: number,
  endedAt: number = now,
): Settled | 'superseded' | 'unknown' {
  const work = () => {
    const attempt =
      journal.get(attemptColumns, `${attemptSql} AND a.ended_at IS NULL AND a.worker_id = ?`, result.token, workerId) ??
      journal.get(attemptColumns, attemptSql, result.token)
    if (attempt === undefined) return 'unknown' as const
    // The process that took the attempt over ends its processes: the resulting outcome is not the run's own.
    if (attempt.ended_at !== null || attempt.worker_id !== workerId) {
      settleLateMoney(journal, attempt, result, now)
      return 'superseded' as const
    }
    const { error_class } = result.outcome
    const is_lost = error_class === lostClass || error_class === takenAwayClass
    const money = settleMoney(journal, attempt, { ...result, is_lost }, now)
    const superseded = attempt.is_current !== 1
    // For an interrupted attempt, calls that were sent and not booked count as made.
    const used = {
      calls: Math.max(attempt.calls + (is_lost ? attempt.open_calls : 0), result.calls),
      tokens: Math.max(attempt.tokens + (is_lost ? attempt.open_tokens : 0), result.tokens),
    }
    writeAttempt(journal, attempt.id, { ...result, ...used }, money, superseded, Math.round(endedAt))
    addToRun(journal, attempt, money, used)
    if (superseded) return 'superseded' as const
    writeMetrics(journal, attempt.id, result.metrics)
    writeSeries(journal, attempt.id, result.series)
    const next = decide({
      retries: attempt.retries === '{}' ? {} : mapIn(attempt.retries, 'runs.retries', journal, isNumber),
      failure: attempt.failure,
      failures: attempt.failures,
      mode: attempt.mode,
      isOfTrial: attempt.trial !== null,
    })
    writeRun(journal, attempt, result, next)
    return { next, ...money }
  }
  return journal.transaction(work, { durable: hasSpent(result) })
}

/** Whether money moved, as far as is known. */
export const hasSpent = ({ cost_usd, cost_at_least_usd }: SettledResult): boolean => (cost_usd ?? cost_at_least_usd) > 0

/** Tokens have no index: a worker has few unfinished attempts, and late results of others are rare. */
const attemptSql = `SELECT a.id, a.run_id, a.worker_id, a.reserved_usd, a.cap_usd, a.cost_usd, a.cost_assumed,
    a.ended_at, a.fingerprint, a.number, a.mode, a.continues, a.capped_usd, a.calls, a.tokens,
    a.cost_unknown, a.pays_by_call, a.open_usd, a.open_unpriced, a.open_calls, a.open_tokens,
    r.token IS a.token AS is_current, r.retries, r.failure, r.failures, r.trial
  FROM attempts a CROSS JOIN runs r ON r.id = a.run_id WHERE a.token = ?`

const attemptColumns = {
  trial: textOrNull,
  id: number,
  run_id: number,
  worker_id: number,
  cost_usd: numberOrNull,
  cost_assumed: number,
  reserved_usd: number,
  cap_usd: numberOrNull,
  ended_at: numberOrNull,
  fingerprint: text,
  number: number,
  mode: attemptMode,
  continues: numberOrNull,
  capped_usd: number,
  calls: number,
  tokens: number,
  cost_unknown: number,
  pays_by_call: number,
  open_usd: number,
  open_unpriced: number,
  open_calls: number,
  open_tokens: number,
  is_current: number,
  retries: text,
  failure: textOrNull,
  failures: number,
}

type AttemptRow = RowOf<typeof attemptColumns>

function writeAttempt(
  journal: Journal,
  attemptId: number,
  result: SettledResult,
  money: SettledMoney,
  superseded: boolean,
  endedAt: number,
): void {
  const { kind, ...facts } = result.outcome
  journal.run(
    `UPDATE attempts SET ended_at = ?, outcome = ?, facts = ?, wall_s = ?, cpu_s = ?, max_rss_bytes = ?,
       cost_usd = ?, cost_assumed = ?, cost_unknown = ?, command = ?, cwd = ?, has_directory = ?, outputs = ?, superseded = ?,
       place = ?, capped_usd = ?, calls = ?, tokens = ? WHERE id = ?`,
    endedAt,
    kind,
    JSON.stringify(facts),
    result.wall_s,
    result.cpu_s,
    result.max_rss_bytes,
    money.booked_usd,
    money.assumed ? 1 : 0,
    money.unknown ? 1 : 0,
    JSON.stringify(result.command),
    result.cwd,
    result.place === null ? 0 : 1,
    JSON.stringify(result.outputs),
    superseded ? 1 : 0,
    result.place,
    money.capped_usd,
    result.calls,
    result.tokens,
    attemptId,
  )
}

/** A run's cost is the sum of its attempts, unless it was made anew since. */
function addToRun(journal: Journal, attempt: AttemptRow, money: SettledMoney, used: Omit<Spent, 'usd'>): void {
  // Most runs cost nothing: their rows need not be written twice.
  if ((money.booked_usd ?? 0) === 0 && !money.unknown && used.calls === 0 && used.tokens === 0) return
  journal.run(
    `UPDATE runs SET cost_usd = cost_usd + ?, cost_assumed = max(cost_assumed, ?), cost_unknown = max(cost_unknown, ?),
       capped_usd = capped_usd + ?, calls = calls + ?, tokens = tokens + ? WHERE id = ? AND counts_from <= ?`,
    money.booked_usd ?? 0,
    money.assumed ? 1 : 0,
    money.unknown ? 1 : 0,
    money.capped_usd,
    used.calls,
    used.tokens,
    attempt.run_id,
    attempt.number,
  )
}

function writeMetrics(journal: Journal, attemptId: number, metrics: readonly Reading[]): void {
  for (const reading of metrics)
    journal.run(
      `INSERT INTO metrics (attempt_id, name, value, problem) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value, problem = excluded.problem`,
      attemptId,
      reading.metric,
      'value' in reading ? reading.value : null,
      'problem' in reading ? reading.problem : null,
    )
}

function writeSeries(journal: Journal, attemptId: number, series: readonly Series[]): void {
  for (const { metric, steps, values } of series)
    journal.run(
      'INSERT OR REPLACE INTO series (attempt_id, name, steps, points) VALUES (?, ?, ?, ?)',
      attemptId,
      metric,
      JSON.stringify(steps),
      JSON.stringify(values),
    )
}

function writeRun(journal: Journal, attempt: AttemptRow, { outcome, place }: SettledResult, next: NextState): void {
  // An attempt that only scored, or left no files, can't be continued: the one before it is.
  const { continues } = attempt
  const goOnFrom = continues !== null && (attempt.mode === 'score' || place === null) ? continues : attempt.id
  const settled = next.state !== 'ready'
  if (settled) journal.run('UPDATE experiment SET settled = settled + 1')
  journal.run(
    `UPDATE runs SET state = ?, ready_at = ?, outcome = ?, fingerprint = ?, retries = ?, failure = ?, failures = ?,
       cut_at = ?, mode = ?, continues = ?, settled = CASE WHEN ? THEN (SELECT settled FROM experiment) ELSE settled END WHERE id = ?`,
    next.state,
    next.readyAt,
    outcome.kind,
    settled ? attempt.fingerprint : null,
    JSON.stringify(next.retries),
    next.failure,
    next.failures,
    next.cutAt,
    next.mode,
    goOnFrom,
    settled ? 1 : 0,
    attempt.run_id,
  )
}

/**
 * How an ended run becomes ready again. `interrupted`: identical failures still count, so that a run which meets the
 * same problem in every call ends in quarantine. `go_on`: its failures are forgotten; the cost of its attempts counts
 * against its cap, and the next may continue the last. `anew`: the earlier result is discarded; costs count from the
 * next attempt, which starts from scratch.
 */
export type Reopening = 'interrupted' | 'go_on' | 'anew'

/** Makes runs of the current plan ready again, by their ids; the engine decides which. Returns how many. */
export function reopenRuns(journal: Journal, ids: readonly number[], how: Reopening): number {
  if (ids.length === 0) return 0
  return journal.run(
    `${reopen[how]} AND state <> 'running' AND id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
}

/** Everything that is not running, as `--fresh` asks for. */
export function reopenAll(journal: Journal): number {
  journal.run('UPDATE trials SET stopped = NULL')
  return journal.run(`${reopen.anew} AND state <> 'running'`)
}

/** Waits left by an earlier call are over; but a run that may have ended that call still comes last. */
export function endWaits(journal: Journal): void {
  const sql = `UPDATE runs SET ready_at = 0 ${ofThisPlan} AND state = 'ready' AND ready_at > 0 AND failure IS NOT ?`
  journal.run(sql, lostFailure)
}

/** Waits were timed on another machine, or on this one before a restart: they are over, in their order. */
export function followClock(journal: Journal, boot: string): void {
  if (journal.run('UPDATE experiment SET clock_boot = ? WHERE clock_boot <> ?', boot, boot) === 0) return
  journal.run(`UPDATE runs SET ready_at = 1 WHERE state = 'ready' AND ready_at > 0`)
}

/** Accepts stale runs as they are: from now on they count as runs of this definition. Their attempts keep the truth. */
export function keepStale(journal: Journal): number {
  return journal.run(
    `UPDATE runs SET fingerprint = (SELECT fingerprint FROM experiment) ${ofThisPlan} AND ${isOfAnother}
       AND (state = 'quarantined' OR (state = 'finished' AND outcome NOT IN (SELECT value FROM json_each(?))))`,
    JSON.stringify(cutOff),
  )
}

/**
 * Makes those runs of this plan ready for scoring that have ended and left files to score. Runs that the environment
 * could not execute left none. Returns how many.
 */
export function reopenToScore(journal: Journal): number {
  return journal.run(
    `UPDATE runs SET ${forgiven}, mode = 'score' ${ofThisPlan} AND ${hasLeftFiles}
       AND ${madeWith} = (SELECT fingerprint FROM experiment)`,
  )
}

/** How many runs of this plan have files to score, but of another definition. */
export function staleToScore(journal: Journal): number {
  const row = journal.get(
    { count: number },
    `SELECT count(*) AS count FROM runs ${ofThisPlan} AND ${hasLeftFiles}
       AND ${madeWith} <> (SELECT fingerprint FROM experiment)`,
  )
  return row?.count ?? 0
}

/** An attempt only continues an earlier one made with the same definition, whether or not its result was accepted since. */
const madeWith = '(SELECT a.fingerprint FROM attempts a WHERE a.id = runs.continues)'

const hasLeftFiles = `state IN ('finished', 'quarantined') AND EXISTS (
  SELECT 1 FROM attempts a WHERE a.id = runs.continues AND a.has_directory = 1
    AND coalesce(a.facts ->> 'unsupported_environment', 0) <> 1
    AND (a.outcome <> 'infra_error' OR a.facts ->> 'only_scoring_left' = 1))`

const ofThisPlan = 'WHERE generation = (SELECT generation FROM experiment)'
const forgiven = `state = 'ready', ready_at = 0, retries = '{}', failure = NULL, failures = 0, cut_at = NULL`

const reopen: { readonly [how in Reopening]: string } = {
  interrupted: `UPDATE runs SET state = 'ready', ready_at = 0, retries = '{}' ${ofThisPlan}`,
  go_on: `UPDATE runs SET ${forgiven} ${ofThisPlan}`,
  anew: `UPDATE runs SET ${forgiven}, counts_from = attempts + 1, cost_usd = 0, cost_assumed = 0, cost_unknown = 0, capped_usd = 0,
    calls = 0, tokens = 0, mode = 'run', continues = NULL ${ofThisPlan}`,
}
