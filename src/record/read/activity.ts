import type { Outcome, OutcomeKind } from '../../define/outcome.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Moment } from '../../util/time.ts'
import type { Journal } from '../journal/journal.ts'
import { objectIn, outcomeIn } from '../journal/stored.ts'
import { isIn } from './standing.ts'

/** What is going on in an experiment: its workers, what runs now, how fast, what failed last, why it stopped. */

/** Changes whenever a run ends, or plan, definition or labels do: two datasets of the same version are the same. */
export function journalVersion(journal: Journal): string {
  const row = journal.get<{
    generation: number
    definition: string
    fingerprint: string
    settled: number
    labels: number
    created: number
  }>(
    `SELECT generation, definition_hash AS definition, fingerprint, settled, created_at AS created,
            (SELECT count(*) FROM labels) AS labels FROM experiment`,
  )
  if (row === undefined) return 'none'
  const hashes = [row.definition, row.fingerprint].map(hash => hash.slice(0, 12))
  return [row.created, row.generation, row.settled, row.labels, ...hashes].join('-')
}

/** How many runs there ever were, roughly: nothing is counted. */
export const runsEver = (journal: Journal): number =>
  journal.get<{ n: number | null }>('SELECT max(id) AS n FROM runs')?.n ?? 0

/** When the last attempt ended; null: none has. */
export const lastEndAt = (journal: Journal): number | null =>
  journal.get<{ at: number | null }>('SELECT max(ended_at) AS at FROM attempts')?.at ?? null

/** Why the last call stopped, unless something was started since. */
export function lastStop(journal: Journal): string | null {
  const found = journal.get<{ reason: string | null }>(
    `SELECT json_extract(data, '$.reason') AS reason FROM events
     WHERE kind = 'stopped' AND at >= (SELECT max(started_at) FROM attempts) ORDER BY id DESC LIMIT 1`,
  )
  return found?.reason ?? null
}

export interface RunningAttempt {
  readonly run: string
  readonly attempt: number
  readonly started_at: number
  readonly worker_id: number
}

/** As far as the journal knows: the process that ran them may be gone. */
export const runningAttempts = (journal: Journal): readonly RunningAttempt[] =>
  journal.all<RunningAttempt>(
    `SELECT r.name AS run, a.number AS attempt, a.started_at, a.worker_id FROM attempts a JOIN runs r ON r.id = a.run_id
     WHERE a.ended_at IS NULL AND r.state = 'running' ORDER BY a.started_at`,
  )

/** The newest runs of the experiment that failed. */
export function newestFailures(
  journal: Journal,
  most: number,
): readonly { readonly run: string; readonly outcome: Outcome }[] {
  const rows = journal.all<{ run: string; outcome: OutcomeKind; facts: string }>(
    `SELECT r.name AS run, a.outcome, a.facts FROM runs r JOIN attempts a ON a.id = r.attempt_id
     WHERE ${isIn('experiment', 'r')}
       AND (r.state = 'quarantined' OR (r.state = 'finished' AND r.outcome IN ('failed', 'timed_out', 'infra_error')))
     ORDER BY r.settled DESC LIMIT ?`,
    most,
  )
  return rows.map(({ run, outcome, facts }) => ({
    run,
    outcome: outcomeIn(outcome, facts, journal),
  }))
}

export interface Pace {
  /** How many attempts it is about. */
  readonly ended: number
  /** When the first of them ended, or, if there are few, when the first present worker joined. */
  readonly since: number
  readonly wall_s: number
}

/** Of at most so many attempts that have ended since the first present worker joined. */
export function paceLately(journal: Journal, most: number): Pace {
  const found = journal.get<{ ended: number; since: number | null; joined: number | null; wall_s: number | null }>(
    `WITH joined AS (SELECT min(joined_at) AS at FROM workers WHERE left_at IS NULL),
          last AS (SELECT ended_at, wall_s FROM attempts
                   WHERE id > (SELECT max(id) FROM attempts) - ?1 * 2 AND ended_at >= (SELECT at FROM joined)
                   ORDER BY id DESC LIMIT ?1)
     SELECT count(*) AS ended, min(ended_at) AS since, avg(wall_s) AS wall_s, (SELECT at FROM joined) AS joined FROM last`,
    most,
  )
  const { ended = 0, since = null, joined = null, wall_s = null } = found ?? {}
  return { ended, since: (ended < most ? joined : since) ?? 0, wall_s: wall_s ?? 0 }
}

/** What every attempt has cost, by its token: copies of an experiment have the same tokens. */
export function costsByToken(journal: Journal): ReadonlyMap<string, number> {
  const rows = journal.all<{ token: string; usd: number | null }>('SELECT token, cost_usd AS usd FROM attempts')
  return new Map(rows.map(({ token, usd }) => [token, usd ?? 0]))
}

/** What each process that worked on the experiment noted about itself and its surroundings. */
export const provenanceOfProcesses = (journal: Journal): readonly JsonObject[] =>
  journal
    .all<{ facts: string }>('SELECT facts FROM provenance ORDER BY id')
    .map(({ facts }) => objectIn(facts, 'provenance.facts', journal))

/** Whether any run has reported a number. */
export const hasMetrics = (journal: Journal): boolean => journal.get('SELECT 1 FROM metrics LIMIT 1') !== undefined

/** The completed run of the experiment with the best value; null: none has one. */
export function bestRun(
  journal: Journal,
  metric: string,
  goal: 'minimize' | 'maximize',
): { readonly value: number; readonly run: string } | null {
  const found = journal.get<{ value: number; run: string }>(
    `SELECT m.value, r.name AS run FROM metrics m JOIN runs r ON r.attempt_id = m.attempt_id
     WHERE m.name = ? AND m.value IS NOT NULL AND r.state = 'finished' AND r.outcome = 'completed'
       AND ${isIn('experiment', 'r')}
     ORDER BY m.value ${goal === 'minimize' ? 'ASC' : 'DESC'} LIMIT 1`,
    metric,
  )
  return found ?? null
}

/** Identifies a worker's process, well enough to tell without a clock whether it is still alive. */
export interface WorkerIdentity {
  readonly host: string
  readonly boot_id: string
  readonly pid_namespace: string
  readonly pid: number
  readonly start_time: string | null
}

export interface WorkerRow extends WorkerIdentity {
  readonly id: number
  readonly kind: WorkerKind
  readonly slots: number
  readonly joined_at: number
  readonly heartbeat_at: number
  readonly left_at: number | null
  /** On the watch of its machine; null: written by an earlier version. */
  readonly joined_elapsed: number | null
  readonly heartbeat_elapsed: number | null
}

export type WorkerKind = 'run' | 'worker'

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
    worker.boot_id,
    worker.pid_namespace,
    worker.pid,
    worker.start_time,
    worker.slots,
    now,
    now,
    elapsed,
    elapsed,
  )
}

/** Workers that have not left; some of them may be dead. */
export function workersHere(journal: Journal): WorkerRow[] {
  return journal.all<WorkerRow>('SELECT * FROM workers WHERE left_at IS NULL ORDER BY id')
}

/** Workers whose attempts may have to be taken over: still there, or gone before all of them were settled. */
export function workersWithAttempts(journal: Journal): WorkerRow[] {
  return journal.all<WorkerRow>(
    `SELECT * FROM workers WHERE left_at IS NULL
       OR id IN (SELECT worker_id FROM attempts WHERE ended_at IS NULL) ORDER BY id`,
  )
}

/** A sign of life. False: another process considered this worker dead and took over its attempts; it may not go on. */
export function heartbeat(journal: Journal, workerId: number, slots: number, { now, elapsed }: Moment): boolean {
  const sql = 'UPDATE workers SET heartbeat_at = ?, heartbeat_elapsed = ?, slots = ? WHERE id = ? AND left_at IS NULL'
  return journal.run(sql, now, elapsed, slots, workerId) > 0
}

/** Removes a worker, and frees a planner lease that it held. */
export function removeWorker(journal: Journal, workerId: number, { now, elapsed }: Moment): void {
  journal.transaction(() => {
    journal.run('UPDATE workers SET left_at = ?, heartbeat_elapsed = ? WHERE id = ?', now, elapsed, workerId)
    journal.run('UPDATE experiment SET planner_lease = NULL WHERE planner_lease = ?', workerId)
  })
}

/** Whether `assay run` has ever been called for it, and not only `assay worker`. */
export const hasBeenRun = (journal: Journal): boolean =>
  journal.get(`SELECT 1 FROM workers WHERE kind = 'run' LIMIT 1`) !== undefined
