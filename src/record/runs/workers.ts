import type { Run, UnfinishedAttempt } from '../../define/run.ts'
import type { Moment } from '../../util/time.ts'
import { attemptMode, number, numberOrNull, oneOf, type RowOf, text, textOrNull } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { runColumns, runIn, specOf } from '../journal/stored.ts'
import { earlierAttempt, lostIn, spentBy, spentColumns } from './claim.ts'
import { reserve } from './ledger.ts'
import { isNameTaken } from './offer.ts'

/** Identifies a worker's process, well enough to tell whether it is alive without comparing clocks. */
export interface WorkerIdentity {
  readonly host: string
  readonly bootId: string
  readonly pidNamespace: string
  readonly pid: number
  readonly startTime: string | null
}

const workerKinds = ['run', 'worker'] as const

export type WorkerKind = (typeof workerKinds)[number]

const workerColumns = {
  host: text,
  bootId: text,
  pidNamespace: text,
  pid: number,
  startTime: textOrNull,
  id: number,
  kind: oneOf(workerKinds),
  slots: number,
  joinedAt: number,
  heartbeatAt: number,
  leftAt: numberOrNull,
  /** On its machine's monotonic clock; null: written by an earlier version. */
  joinedElapsed: numberOrNull,
  heartbeatElapsed: numberOrNull,
}

const workerSql = `SELECT id, kind, host, boot_id AS bootId, pid_namespace AS pidNamespace, pid, start_time AS startTime, slots,
  joined_at AS joinedAt, heartbeat_at AS heartbeatAt, left_at AS leftAt, joined_elapsed AS joinedElapsed,
  heartbeat_elapsed AS heartbeatElapsed FROM workers`

/** A worker as recorded in the journal. */
export type RecordedWorker = RowOf<typeof workerColumns>

export function addWorker(
  journal: Journal,
  worker: WorkerIdentity & { readonly kind: WorkerKind; readonly slots: number },
  { now, elapsed }: Moment,
): number {
  return journal.insert(
    `INSERT INTO workers (kind, host, boot_id, pid_namespace, pid, start_time, slots, joined_at, heartbeat_at,
       joined_elapsed, heartbeat_elapsed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    worker.kind,
    worker.host,
    worker.bootId,
    worker.pidNamespace,
    worker.pid,
    worker.startTime,
    worker.slots,
    now,
    now,
    elapsed,
    elapsed,
  )
}

/** Workers that have not left; some may be dead. */
export function workersHere(journal: Journal): RecordedWorker[] {
  return journal.all(workerColumns, `${workerSql} WHERE left_at IS NULL ORDER BY id`)
}

/** Workers whose attempts may have to be taken over: present, or gone before all attempts were settled. */
export function workersWithAttempts(journal: Journal): RecordedWorker[] {
  return journal.all(
    workerColumns,
    `${workerSql} WHERE left_at IS NULL
       OR id IN (SELECT worker_id FROM attempts WHERE ended_at IS NULL) ORDER BY id`,
  )
}

/** Writes a heartbeat. False: another process considered this worker dead and took over its attempts, so it must stop. */
export function heartbeat(journal: Journal, workerId: number, slots: number, { now, elapsed }: Moment): boolean {
  const sql = 'UPDATE workers SET heartbeat_at = ?, heartbeat_elapsed = ?, slots = ? WHERE id = ? AND left_at IS NULL'
  return journal.run(sql, now, elapsed, slots, workerId) > 0
}

/** Removes a worker, and releases a planner lease that it had. */
export function removeWorker(journal: Journal, workerId: number, { now, elapsed }: Moment): void {
  journal.transaction(() => {
    journal.run('UPDATE workers SET left_at = ?, heartbeat_elapsed = ? WHERE id = ?', now, elapsed, workerId)
    journal.run('UPDATE experiment SET planner_lease = NULL WHERE planner_lease = ?', workerId)
  })
}

/** Whether `assay run` was ever called for it, and not only `assay worker`. */
export const hasBeenRun = (journal: Journal): boolean => journal.has(`SELECT 1 FROM workers WHERE kind = 'run' LIMIT 1`)

/**
 * Gives a dead worker's attempts to this worker, in one transaction: if several notice the death, only one gets them,
 * and if that one dies too, they are found again. Process ids only mean something to processes that share the
 * numbering: not after a restart of the machine, nor in another container.
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
    const rows = journal.all(
      unfinishedColumns,
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
 * The use of an attempt's reservation by its calls is not flushed to disk each time. A machine that stopped may have
 * lost the latest part, so only the reservation is certain.
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
    // The journal records what was left for this attempt.
    run_budget_usd: cap_usd === null ? null : cap_usd + spent.usd,
    continues: earlierAttempt(journal, row.continues)?.attempt ?? null,
    lostBefore: lostIn(row),
  }
}

const unfinishedColumns = {
  ...spentColumns,
  ...runColumns,
  attempt: number,
  token: text,
  pid: numberOrNull,
  startTime: textOrNull,
  started_at: number,
  timeout_ms: numberOrNull,
  cap_usd: numberOrNull,
  mode: attemptMode,
  continues: numberOrNull,
  failure: textOrNull,
  failures: number,
}

type UnfinishedRow = RowOf<typeof unfinishedColumns>

/** An attempt found on disk, before its result is settled. */
export interface FoundAttempt {
  readonly run: Run
  readonly number: number
  readonly token: string
  readonly fingerprint: string
  readonly started_at: number
  /** The most that it can have cost, if a budget reserves that: charged if nothing shows its cost. */
  readonly reservedUsd: number
}

/** Tokens of all attempts in the journal. */
export const attemptTokens = (journal: Journal): ReadonlySet<string> =>
  new Set(journal.all({ token: text }, 'SELECT token FROM attempts').map(({ token }) => token))

/**
 * Records an attempt as claimed by this worker and not settled yet, with its run if that is unknown. If it is newer
 * than all attempts in the journal, it becomes the run's current attempt; an older one is only kept. False: the run's
 * name belongs to another run here. Part of a transaction.
 */
export function takeIn(journal: Journal, found: FoundAttempt, workerId: number): boolean {
  const { run, number, token, fingerprint, started_at, reservedUsd } = found
  if (isNameTaken(journal, run)) return false
  journal.run(
    `INSERT INTO runs (key, name, spec, why, generation, position, state)
     VALUES (?, ?, ?, 'found on disk', 0, 0, 'ready') ON CONFLICT (key) DO NOTHING`,
    run.key,
    run.name,
    specOf(run),
  )
  const row = journal.get(standingColumns, 'SELECT id, attempts FROM runs WHERE key = ?', run.key)
  if (row === undefined) return false
  const attemptId = journal.insert(
    `INSERT INTO attempts (run_id, number, token, worker_id, fingerprint, started_at, reserved_usd)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    number,
    token,
    workerId,
    fingerprint,
    started_at,
    reservedUsd,
  )
  reserve(journal, attemptId, reservedUsd, started_at)
  if (number > row.attempts)
    journal.run(
      `UPDATE runs SET state = 'running', attempts = ?, token = ?, attempt_id = ? WHERE id = ?`,
      number,
      token,
      attemptId,
      row.id,
    )
  return true
}

const standingColumns = { id: number, attempts: number }

/** How many attempts of a run are in the journal. */
export const attemptsOf = (journal: Journal, runName: string): number =>
  journal.get({ attempts: number }, 'SELECT attempts FROM runs WHERE name = ?', runName)?.attempts ?? 0
