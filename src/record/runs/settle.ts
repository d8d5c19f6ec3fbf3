import type { AttemptResult, Reading, Series } from '../../define/job.ts'
import type { Outcome } from '../../define/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { type SettledMoney, settleLateMoney, settleMoney } from './ledger.ts'

/** How a run stands after an attempt; decided by the engine, written here. */
export interface NextState {
  readonly state: 'ready' | 'finished' | 'quarantined'
  readonly ready_at: number
  /** Automatic retries used, by class of failure. */
  readonly retries: { readonly [kind: string]: number }
  /** The way it failed, and how often in a row it did so. */
  readonly failure: string | null
  readonly failures: number
  /** The limit that cut it, so that raising the limit makes it ready again. */
  readonly cut_at: number | null
}

export interface RunHistory {
  readonly retries: { readonly [kind: string]: number }
  readonly failure: string | null
  readonly failures: number
}

export interface Settled extends SettledMoney {
  readonly next: NextState
}

/**
 * Takes a result in, in one transaction: its money is booked always; a late result of an attempt that was replaced,
 * or that another worker has taken over, is kept as superseded; otherwise metrics, series, outcome and the run's next
 * state.
 */
export function settleAttempt(
  journal: Journal,
  result: AttemptResult,
  workerId: number,
  decide: (history: RunHistory) => NextState,
  now: number,
): Settled | 'superseded' | 'unknown' {
  const work = () => {
    const attempt =
      journal.get<AttemptRow>(`${attemptSql} AND a.ended_at IS NULL AND a.worker_id = ?`, result.token, workerId) ??
      journal.get<AttemptRow>(attemptSql, result.token)
    if (attempt === undefined) return 'unknown' as const
    // Whoever took the attempt over ends its processes: what comes of that is not the run's own doing.
    if (attempt.ended_at !== null || attempt.worker_id !== workerId) {
      settleLateMoney(journal, attempt, result, now)
      return 'superseded' as const
    }
    const money = settleMoney(journal, attempt, result, now)
    const superseded = attempt.current !== result.token
    writeAttempt(journal, attempt.id, result, money, superseded)
    if (superseded) return 'superseded' as const
    writeMetrics(journal, attempt.id, result.metrics)
    writeSeries(journal, attempt.id, result.series)
    const next = decide({
      retries: JSON.parse(attempt.retries) as RunHistory['retries'],
      failure: attempt.failure,
      failures: attempt.failures,
    })
    writeRun(journal, attempt, result.outcome, next)
    return { next, ...money }
  }
  return journal.transaction(work, { durable: hasSpent(result) })
}

/** Whether money moved, as far as anybody knows. */
export const hasSpent = ({ cost_usd, cost_at_least_usd }: AttemptResult): boolean => (cost_usd ?? cost_at_least_usd) > 0

/** Tokens have no index: one's own unfinished attempts are few, and others' late results are rare. */
const attemptSql = `SELECT a.id, a.run_id, a.worker_id, a.reserved_usd, a.cap_usd, a.cost_usd, a.cost_assumed,
    a.ended_at, a.fingerprint,
    r.token AS current, r.retries, r.failure, r.failures
  FROM attempts a CROSS JOIN runs r ON r.id = a.run_id WHERE a.token = ?`

interface AttemptRow {
  readonly id: number
  readonly run_id: number
  readonly worker_id: number
  readonly cost_usd: number | null
  readonly cost_assumed: number
  readonly reserved_usd: number
  readonly cap_usd: number | null
  readonly ended_at: number | null
  readonly fingerprint: string
  readonly current: string | null
  readonly retries: string
  readonly failure: string | null
  readonly failures: number
}

function writeAttempt(
  journal: Journal,
  attemptId: number,
  result: AttemptResult,
  money: SettledMoney,
  superseded: boolean,
): void {
  const { kind, ...facts } = result.outcome
  journal.run(
    `UPDATE attempts SET ended_at = ?, outcome = ?, facts = ?, wall_s = ?, cpu_s = ?, max_rss_bytes = ?,
       cost_usd = ?, cost_assumed = ?, command = ?, cwd = ?, has_directory = ?, outputs = ?, superseded = ? WHERE id = ?`,
    result.ended_at,
    kind,
    JSON.stringify(facts),
    result.wall_s,
    result.cpu_s,
    result.max_rss_bytes,
    money.cost_usd,
    money.assumed ? 1 : 0,
    JSON.stringify(result.command),
    result.cwd,
    result.has_directory ? 1 : 0,
    JSON.stringify(result.outputs),
    superseded ? 1 : 0,
    attemptId,
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

function writeRun(journal: Journal, attempt: AttemptRow, outcome: Outcome, next: NextState): void {
  const settled = next.state !== 'ready'
  if (settled) journal.run('UPDATE experiment SET settled = settled + 1')
  journal.run(
    `UPDATE runs SET state = ?, ready_at = ?, outcome = ?, fingerprint = ?, retries = ?, failure = ?, failures = ?,
       cut_at = ?, settled = CASE WHEN ? THEN (SELECT settled FROM experiment) ELSE settled END WHERE id = ?`,
    next.state,
    next.ready_at,
    outcome.kind,
    settled ? attempt.fingerprint : null,
    JSON.stringify(next.retries),
    next.failure,
    next.failures,
    next.cut_at,
    settled ? 1 : 0,
    attempt.run_id,
  )
}
