import type { Run } from '../../define/run.ts'
import type { Journal } from '../journal/journal.ts'
import { runOf } from '../journal/run-row.ts'
import { fitsBudget, reserve } from './ledger.ts'

export interface ClaimRequest {
  readonly workerId: number
  /** Of the definition that the worker would run; if the experiment has got another one, it must not. */
  readonly fingerprint: string
  readonly token: string
  readonly now: number
  /** What an attempt of this run may cost before it is ended; null: no cap. With a budget, so much is set aside for it. */
  readonly capOf: (run: Run) => number | null
  readonly timeoutMs: number | null
  readonly budgetUsd: number | null
}

export interface Claimed {
  readonly kind: 'claimed'
  readonly run: Run
  readonly attempt: number
  readonly capUsd: number | null
}

/**
 * Why nothing was claimed: nothing is ready, the budget has no room, or (held) pause, stop or another definition are in
 * the way, or somebody took this worker for dead.
 */
export type ClaimAnswer = Claimed | { readonly kind: 'none' | 'budget' | 'held' }

/** Takes the next ready run: budget check, reservation and attempt in one short transaction. */
export function claimNext(journal: Journal, request: ClaimRequest): ClaimAnswer {
  const work = () => {
    const totals = journal.get<ClaimTotals>(
      `SELECT control, generation, fingerprint, spent_usd, reserved_usd FROM experiment
       WHERE NOT EXISTS (SELECT 1 FROM workers WHERE id = ? AND left_at IS NOT NULL)`,
      request.workerId,
    )
    if (totals === undefined || totals.control !== 'go' || totals.fingerprint !== request.fingerprint)
      return { kind: 'held' } as const
    const row = dueRetry(journal, totals.generation, request.now) ?? nextFresh(journal, totals.generation)
    if (row === undefined) return { kind: 'none' } as const
    const chosen = affordable([row], totals, request) ?? affordable(others(journal, totals.generation), totals, request)
    if (chosen === undefined) return { kind: 'budget' } as const
    const { run, boundUsd, capUsd } = chosen
    const attempt = startAttempt(journal, request, chosen.row, { boundUsd, capUsd })
    return { kind: 'claimed', run, attempt, capUsd } as const
  }
  return journal.transaction(work, { durable: request.budgetUsd !== null })
}

interface Affordable {
  readonly row: ReadyRow
  readonly run: Run
  readonly boundUsd: number
  readonly capUsd: number | null
}

/** The first of these runs that the budget has room for. */
function affordable(rows: readonly ReadyRow[], totals: ClaimTotals, request: ClaimRequest): Affordable | undefined {
  for (const row of rows) {
    const run = runOf(row)
    const capUsd = request.capOf(run)
    const boundUsd = request.budgetUsd === null ? 0 : (capUsd ?? 0)
    if (fitsBudget(totals, boundUsd, request.budgetUsd)) return { row, run, boundUsd, capUsd }
  }
  return undefined
}

/** Where the next run is too dear, one that costs less, or nothing, need not wait for it. */
function others(journal: Journal, generation: number): readonly ReadyRow[] {
  return journal.all<ReadyRow>(
    `SELECT id, key, name, spec, attempts FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at = 0 ORDER BY position LIMIT 100`,
    generation,
  )
}

/** Retries whose wait is over come first, the longest due before the others. */
function dueRetry(journal: Journal, generation: number, now: number): ReadyRow | undefined {
  return journal.get<ReadyRow>(
    `SELECT id, key, name, spec, attempts FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at > 0 AND ready_at <= ? ORDER BY ready_at LIMIT 1`,
    generation,
    now,
  )
}

function nextFresh(journal: Journal, generation: number): ReadyRow | undefined {
  return journal.get<ReadyRow>(
    `SELECT id, key, name, spec, attempts FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at = 0 ORDER BY position LIMIT 1`,
    generation,
  )
}

interface ClaimTotals {
  readonly control: string
  readonly generation: number
  readonly fingerprint: string
  readonly spent_usd: number
  readonly reserved_usd: number
}

interface ReadyRow {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly attempts: number
}

/** Gives the attempt's number. */
function startAttempt(
  journal: Journal,
  request: ClaimRequest,
  row: ReadyRow,
  { boundUsd, capUsd }: { readonly boundUsd: number; readonly capUsd: number | null },
): number {
  const number = row.attempts + 1
  const attemptId = journal.insert(
    `INSERT INTO attempts (run_id, number, token, worker_id, fingerprint, started_at, reserved_usd, cap_usd, timeout_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    number,
    request.token,
    request.workerId,
    request.fingerprint,
    request.now,
    boundUsd,
    capUsd,
    request.timeoutMs,
  )
  reserve(journal, attemptId, boundUsd, request.now)
  journal.run(
    `UPDATE runs SET state = 'running', attempts = ?, token = ?, attempt_id = ? WHERE id = ?`,
    number,
    request.token,
    attemptId,
    row.id,
  )
  return number
}

/** Remembers the process that carries an attempt, so that it can be ended if this one dies. */
export function recordProcess(journal: Journal, token: string, pid: number, startTime: string | null): void {
  const sql = 'UPDATE attempts SET pid = ?, start_time = ? WHERE token = ? AND ended_at IS NULL'
  journal.run(sql, pid, startTime, token)
}
