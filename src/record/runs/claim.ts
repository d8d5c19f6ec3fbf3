import type { OutcomeKind } from '../../define/outcome.ts'
import {
  type AttemptMode,
  budgetLeft,
  type EarlierAttempt,
  type Job,
  type Run,
  type Spent,
  type UnfinishedAttempt,
} from '../../define/run.ts'
import type { Journal } from '../journal/journal.ts'
import { outcomeIn, runIn } from '../journal/stored.ts'
import { knownCostOf } from '../read/run-parts.ts'
import { fitsBudget, reserve } from './ledger.ts'
import { lostFailure } from './settle.ts'
import { takenTrials, takeTrial } from './trials.ts'

export interface ClaimRequest {
  readonly workerId: number
  /** Of the definition that the worker would run; if the experiment has got another one, it must not. */
  readonly fingerprint: string
  readonly token: string
  readonly now: number
  /** On the watch of the machine: which waits are over. */
  readonly elapsed: number
  /** Of runs that were lost so many times in a row none: whatever runs beside it might be lost with it. */
  readonly lostFewerThan: number
  /** What this run may cost, all its attempts together; null: no cap. With a budget, what is left of it is set aside. */
  readonly capOf: (run: Run) => number | null
  /** Whether all that this run spends goes through calls; without it, it does not. */
  readonly paysByCall?: ((run: Run) => boolean) | undefined
  readonly timeoutMs: number | null
  readonly budgetUsd: number | null
  /** Only runs whose next attempt is of this kind; without it any. */
  readonly mode?: 'score' | undefined
  /** Only runs of trials that this worker has taken, or may still take; without it any. */
  readonly trials?: 'taken' | 'taken_or_free' | undefined
}

export interface Claimed extends Pick<Job, 'run' | 'attempt' | 'spent' | 'mode' | 'continues'> {
  readonly kind: 'claimed'
  /** What the run may cost, all its attempts together. */
  readonly capUsd: number | null
  /** Whether it is the first of a trial that this worker makes. */
  readonly beginsTrial: boolean
  /** How many attempts in a row before this one were lost with the process that made them. */
  readonly lostBefore: number
}

/**
 * Why nothing was claimed: nothing is ready, the budget has no room, or (held) pause, stop or another definition are in
 * the way, or another process considered this worker dead.
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
    for (const trials of trialConditions(request)) {
      const wanted = { generation: totals.generation, mode: request.mode, trials }
      const row =
        dueRetry(journal, wanted, request.elapsed) ?? nextFresh(journal, wanted) ?? dueLost(journal, wanted, request)
      if (row === undefined) continue
      const chosen =
        affordable(journal, [row], totals, request) ?? affordable(journal, others(journal, wanted), totals, request)
      return chosen === undefined ? ({ kind: 'budget' } as const) : startAttempt(journal, request, chosen)
    }
    return { kind: 'none' } as const
  }
  return journal.transaction(work, { durable: request.budgetUsd !== null })
}

interface Affordable {
  readonly row: ReadyRow
  readonly run: Run
  readonly boundUsd: number
  readonly capUsd: number | null
  /** Of the cap, after earlier attempts. */
  readonly leftUsd: number | null
}

/** The first of these runs that the budget has room for. */
function affordable(
  journal: Journal,
  rows: readonly ReadyRow[],
  totals: ClaimTotals,
  request: ClaimRequest,
): Affordable | undefined {
  for (const row of rows) {
    const run = runIn(row, journal)
    const capUsd = request.capOf(run)
    const leftUsd = budgetLeft({ run_budget_usd: capUsd, spent: spentBy(row) })
    const boundUsd = request.budgetUsd === null ? 0 : (leftUsd ?? 0)
    if (fitsBudget(totals, boundUsd, request.budgetUsd)) return { row, run, boundUsd, capUsd, leftUsd }
  }
  return undefined
}

interface Wanted extends Pick<ClaimRequest, 'mode'> {
  readonly generation: number
  /** SQL, or nothing. */
  readonly trials?: string
}

const ofMode = ({ mode, trials = '' }: Pick<Wanted, 'mode' | 'trials'>): string =>
  mode === undefined ? trials : `AND mode = '${mode}' ${trials}`

/** Where runs are looked for, one after the other. */
function trialConditions({ trials, workerId }: ClaimRequest): readonly string[] {
  if (trials === undefined) return ['']
  const own = `AND trial IN (SELECT id FROM trials WHERE taken_by = ${workerId})`
  return trials === 'taken' ? [own] : [own, `AND (trial IS NULL OR trial NOT IN (${takenTrials}))`]
}

/** Where the next run is too dear, one that costs less, or nothing, need not wait for it. */
function others(journal: Journal, wanted: Wanted): readonly ReadyRow[] {
  return journal.all<ReadyRow>(
    `SELECT ${readyColumns} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at = 0 ${ofMode(wanted)} ORDER BY position LIMIT 100`,
    wanted.generation,
  )
}

/** Retries whose wait is over come first, the longest due before the others. */
function dueRetry(journal: Journal, wanted: Wanted, elapsed: number): ReadyRow | undefined {
  return journal.get<ReadyRow>(
    `SELECT ${readyColumns} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at > 0 AND ready_at <= ? AND failure IS NOT '${lostFailure}'
       ${ofMode(wanted)} ORDER BY ready_at LIMIT 1`,
    wanted.generation,
    elapsed,
  )
}

/** What may have ended the process that ran it comes last, so that everything else gets done before it happens again. */
function dueLost(
  journal: Journal,
  wanted: Wanted,
  { elapsed, lostFewerThan }: Pick<ClaimRequest, 'elapsed' | 'lostFewerThan'>,
): ReadyRow | undefined {
  return journal.get<ReadyRow>(
    `SELECT ${readyColumns} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at > 0 AND ready_at <= ? AND failure IS '${lostFailure}'
       AND failures < ? ${ofMode(wanted)} ORDER BY failures, ready_at LIMIT 1`,
    wanted.generation,
    elapsed,
    lostFewerThan,
  )
}

function nextFresh(journal: Journal, wanted: Wanted): ReadyRow | undefined {
  return journal.get<ReadyRow>(
    `SELECT ${readyColumns} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at = 0 ${ofMode(wanted)} ORDER BY position LIMIT 1`,
    wanted.generation,
  )
}

interface ClaimTotals {
  readonly control: string
  readonly generation: number
  readonly fingerprint: string
  readonly spent_usd: number
  readonly reserved_usd: number
}

const readyColumns =
  'id, key, name, spec, trial, attempts, capped_usd, calls, tokens, mode, continues, failure, failures'

interface ReadyRow extends SpentRow {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly trial: string | null
  readonly attempts: number
  readonly mode: AttemptMode
  /** The id of the attempt that the next one goes on from. */
  readonly continues: number | null
  readonly failure: string | null
  readonly failures: number
}

const lostIn = ({ failure, failures }: Pick<ReadyRow, 'failure' | 'failures'>): number =>
  failure === lostFailure ? failures : 0

interface SpentRow {
  readonly capped_usd: number
  readonly calls: number
  readonly tokens: number
}

/** What a run's ended attempts have taken of its limits. */
const spentBy = ({ capped_usd: usd, calls, tokens }: SpentRow): Spent => ({ usd, calls, tokens })

function startAttempt(
  journal: Journal,
  request: ClaimRequest,
  { row, run, boundUsd, capUsd, leftUsd }: Affordable,
): Claimed {
  const number = row.attempts + 1
  const earlier = earlierAttempt(journal, row.continues)
  // What another definition left is nothing to go on from.
  const goesOn = earlier?.fingerprint === request.fingerprint
  const mode = goesOn ? row.mode : 'run'
  const attemptId = journal.insert(
    `INSERT INTO attempts (run_id, number, token, worker_id, fingerprint, started_at, reserved_usd, cap_usd, timeout_ms,
       mode, continues, pays_by_call)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    number,
    request.token,
    request.workerId,
    request.fingerprint,
    request.now,
    boundUsd,
    leftUsd,
    request.timeoutMs,
    mode,
    goesOn ? row.continues : null,
    request.paysByCall?.(run) === true ? 1 : 0,
  )
  reserve(journal, attemptId, boundUsd, request.now)
  journal.run(
    `UPDATE runs SET state = 'running', attempts = ?, token = ?, attempt_id = ? WHERE id = ?`,
    number,
    request.token,
    attemptId,
    row.id,
  )
  const continues = goesOn ? earlier.attempt : null
  const beginsTrial = row.trial !== null && takeTrial(journal, row.trial, request.workerId)
  const about = { run, attempt: number, capUsd, spent: spentBy(row), mode, continues }
  return { kind: 'claimed', ...about, beginsTrial, lostBefore: lostIn(row) }
}

/** An earlier attempt by its id, as far as one that goes on from it wants to know. */
function earlierAttempt(
  journal: Journal,
  id: number | null,
): { readonly attempt: EarlierAttempt; readonly fingerprint: string } | null {
  if (id === null) return null
  const row = journal.get<{
    number: number
    outcome: OutcomeKind | null
    facts: string | null
    cost_usd: number | null
    fingerprint: string
  }>(
    `SELECT number, outcome, facts, ${knownCostOf('attempts')} AS cost_usd, fingerprint FROM attempts WHERE id = ?`,
    id,
  )
  if (row === undefined || row.outcome === null) return null
  const outcome = outcomeIn(row.outcome, row.facts, journal)
  return { attempt: { attempt: row.number, outcome, cost_usd: row.cost_usd }, fingerprint: row.fingerprint }
}

/** Remembers the process that carries an attempt, so that it can be ended if this one dies. */
export function recordProcess(journal: Journal, token: string, pid: number, startTime: string | null): void {
  const sql = 'UPDATE attempts SET pid = ?, start_time = ? WHERE token = ? AND ended_at IS NULL'
  journal.run(sql, pid, startTime, token)
}

/**
 * A dead worker's attempts become this worker's, in one transaction: of several who notice the death only one gets
 * them, and if that one dies too, they are found again. Processes are only known by their numbers to those that count
 * them alike: not after a restart of the machine, nor in another container.
 */
export function takeOver(
  journal: Journal,
  dead: { readonly id: number; readonly countsProcessesAlike: boolean },
  workerId: number,
  now: number,
): UnfinishedAttempt[] {
  const deadWorkerId = dead.id
  return journal.transaction(() => {
    if (!dead.countsProcessesAlike)
      journal.run(
        'UPDATE attempts SET pid = NULL, start_time = NULL WHERE worker_id = ? AND ended_at IS NULL',
        deadWorkerId,
      )
    const rows = journal.all<UnfinishedRow>(
      `SELECT r.key, r.name, r.spec, a.number AS attempt, a.token, a.pid, a.start_time AS startTime, a.started_at,
              a.timeout_ms, a.cap_usd, a.mode, a.continues, r.capped_usd, r.calls, r.tokens, r.failure, r.failures
       FROM attempts a JOIN runs r ON r.id = a.run_id WHERE a.worker_id = ? AND a.ended_at IS NULL`,
      deadWorkerId,
    )
    keepReservationsAfterRestart(journal, deadWorkerId, workerId)
    journal.run('UPDATE attempts SET worker_id = ? WHERE worker_id = ? AND ended_at IS NULL', workerId, deadWorkerId)
    journal.run('UPDATE workers SET left_at = coalesce(left_at, ?) WHERE id = ?', now, deadWorkerId)
    journal.run('UPDATE experiment SET planner_lease = NULL WHERE planner_lease = ?', deadWorkerId)
    return rows.map(row => unfinished(journal, row))
  })
}

/**
 * What calls take out of their attempt's reservation is not flushed to disk one by one. A machine that stopped may have
 * lost the last of it, so that only the reservation is certain.
 */
function keepReservationsAfterRestart(journal: Journal, deadWorkerId: number, workerId: number): void {
  journal.run(
    `UPDATE attempts SET open_usd = max(open_usd, reserved_usd)
     WHERE worker_id = ?1 AND ended_at IS NULL
       AND (SELECT boot_id FROM workers WHERE id = ?1) <> (SELECT boot_id FROM workers WHERE id = ?2)`,
    deadWorkerId,
    workerId,
  )
}

function unfinished(journal: Journal, row: UnfinishedRow): UnfinishedAttempt {
  const { attempt, token, pid, startTime, started_at, timeout_ms, cap_usd, mode } = row
  const spent = spentBy(row)
  return {
    ...{ run: runIn(row, journal), attempt, token, pid, startTime, started_at, timeout_ms, mode, spent },
    // The journal keeps what was left for this attempt.
    run_budget_usd: cap_usd === null ? null : cap_usd + spent.usd,
    continues: earlierAttempt(journal, row.continues)?.attempt ?? null,
    lostBefore: lostIn(row),
  }
}

interface UnfinishedRow extends SpentRow {
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly attempt: number
  readonly token: string
  readonly pid: number | null
  readonly startTime: string | null
  readonly started_at: number
  readonly timeout_ms: number | null
  readonly cap_usd: number | null
  readonly mode: AttemptMode
  readonly continues: number | null
  readonly failure: string | null
  readonly failures: number
}

/** What is not finished yet, of the runs in the journal: ready (perhaps backing off), or running somewhere. */
export function waiting(
  journal: Journal,
  wanted: Pick<ClaimRequest, 'mode'> = {},
): { readonly ready: number; readonly running: number } {
  const row = journal.get<{ ready: number; running: number }>(
    `SELECT (SELECT count(*) FROM runs WHERE generation = e.generation AND state = 'ready' ${ofMode(wanted)}) AS ready,
            (SELECT count(*) FROM runs WHERE generation = e.generation AND state = 'running') AS running
     FROM experiment e`,
  )
  return row ?? { ready: 0, running: 0 }
}
