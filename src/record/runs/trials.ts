import { number, text } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'

/** SQL: trials taken by a worker that is still present. */
export const takenTrials = 'SELECT t.id FROM trials t JOIN workers w ON w.id = t.taken_by WHERE w.left_at IS NULL'

/** Takes a trial for a worker, unless another present worker has it. Returns whether it is new to this worker. */
export function takeTrial(journal: Journal, trial: string, workerId: number): boolean {
  return (
    journal.run(
      `INSERT INTO trials (id, taken_by) VALUES (?1, ?2)
       ON CONFLICT (id) DO UPDATE SET taken_by = excluded.taken_by
       WHERE taken_by IS NOT ?2 AND id NOT IN (${takenTrials})`,
      trial,
      workerId,
    ) > 0
  )
}

/** Whether anything is left of the trials that a worker has taken: ready, or running somewhere. */
export function isTrialLeft(journal: Journal, workerId: number): boolean {
  return journal.has(
    `SELECT 1 FROM runs WHERE generation = (SELECT generation FROM experiment) AND state IN ('ready', 'running')
       AND trial IN (SELECT id FROM trials WHERE taken_by = ?) LIMIT 1`,
    workerId,
  )
}

export interface OpenTrial {
  readonly trial: string
  /** Runs that are ready. */
  readonly ready: number
  readonly running: number
}

/** Trials with runs that are ready or running. */
export function openTrials(journal: Journal): readonly OpenTrial[] {
  return journal.all(
    { trial: text, ready: number, running: number },
    `SELECT trial, count(*) FILTER (WHERE state = 'ready') AS ready, count(*) FILTER (WHERE state = 'running') AS running
     FROM runs WHERE generation = (SELECT generation FROM experiment) AND state IN ('ready', 'running')
       AND trial IS NOT NULL GROUP BY trial`,
  )
}

/** Trials whose remaining runs are not executed. */
export function stoppedTrials(journal: Journal): ReadonlySet<string> {
  return new Set(journal.all({ id: text }, 'SELECT id FROM trials WHERE stopped IS NOT NULL').map(({ id }) => id))
}

/** Stops a trial: its waiting runs are never executed, running ones finish. Returns how many are dropped. */
export function stopTrial(journal: Journal, trial: string, reason: string): number {
  journal.run(
    'INSERT INTO trials (id, stopped) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET stopped = excluded.stopped',
    trial,
    reason,
  )
  return drop(journal, `outcome IS NULL OR outcome NOT IN ('completed', 'stopped_early')`)
}

/** Drops runs that are offered only now, of trials that were stopped before, like those that waited then. */
export const dropStopped = (journal: Journal): number => drop(journal, 'outcome IS NULL')

/** `which`: an ended run that is requested again by name is executed anyway. */
function drop(journal: Journal, which: string): number {
  const dropped = journal.run(
    `UPDATE runs SET state = 'finished', ready_at = 0, outcome = 'stopped_early',
       fingerprint = (SELECT fingerprint FROM experiment), settled = (SELECT settled + 1 FROM experiment)
     WHERE generation = (SELECT generation FROM experiment) AND state = 'ready' AND (${which})
       AND trial IN (SELECT id FROM trials WHERE stopped IS NOT NULL)`,
  )
  if (dropped > 0) journal.run('UPDATE experiment SET settled = settled + 1')
  return dropped
}
