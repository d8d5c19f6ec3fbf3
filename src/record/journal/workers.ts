import type { Journal } from './journal.ts'

/** Who works on an experiment: enough to tell, without a clock, whether that process still lives. */
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
}

export type WorkerKind = 'run' | 'worker'

export function addWorker(
  journal: Journal,
  worker: WorkerIdentity & { readonly kind: WorkerKind; readonly slots: number },
  now: number,
): number {
  return journal.insert(
    `INSERT INTO workers (kind, host, boot_id, pid_namespace, pid, start_time, slots, joined_at, heartbeat_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    worker.kind,
    worker.host,
    worker.boot_id,
    worker.pid_namespace,
    worker.pid,
    worker.start_time,
    worker.slots,
    now,
    now,
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
export function heartbeat(journal: Journal, workerId: number, slots: number, now: number): boolean {
  const sql = 'UPDATE workers SET heartbeat_at = ?, slots = ? WHERE id = ? AND left_at IS NULL'
  return journal.run(sql, now, slots, workerId) > 0
}

/** A worker leaves; a planner lease that it held is free again. */
export function removeWorker(journal: Journal, workerId: number, now: number): void {
  journal.transaction(() => {
    journal.run('UPDATE workers SET left_at = ? WHERE id = ?', now, workerId)
    journal.run('UPDATE experiment SET planner_lease = NULL WHERE planner_lease = ?', workerId)
  })
}

/** Whether `assay run` has ever worked on it, not only workers. */
export const hasBeenRun = (journal: Journal): boolean =>
  journal.get(`SELECT 1 FROM workers WHERE kind = 'run' LIMIT 1`) !== undefined
