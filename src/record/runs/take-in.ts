import type { Run } from '../../define/run.ts'
import type { Journal } from '../journal/journal.ts'
import { specOf } from '../journal/stored.ts'
import { reserve } from './ledger.ts'

/** An attempt that was found on disk, before its result is settled. */
export interface FoundAttempt {
  readonly run: Run
  readonly number: number
  readonly token: string
  readonly fingerprint: string
  readonly started_at: number
  /** The most that it can have cost, where a budget sets that aside: it is charged if nothing tells what it has cost. */
  readonly reservedUsd: number
}

/** Tokens of all attempts that the journal knows of. */
export const attemptTokens = (journal: Journal): ReadonlySet<string> =>
  new Set(journal.all<{ token: string }>('SELECT token FROM attempts').map(({ token }) => token))

/** How a run stands, as far as its folder should fit: what is completed is not looked at again. */
export function recordOf(journal: Journal, runName: string): 'completed' | 'other' | 'unknown' {
  const row = journal.get<{ state: string; outcome: string | null }>(
    'SELECT state, outcome FROM runs WHERE name = ?',
    runName,
  )
  if (row === undefined) return 'unknown'
  return row.state === 'finished' && row.outcome === 'completed' ? 'completed' : 'other'
}

/**
 * Writes an attempt as one that this worker has claimed and not settled yet, with its run if that is unknown. One that is
 * newer than all that the journal knows becomes the run's attempt; an older one is only kept. False: the run's name
 * belongs to another run here. Part of a transaction.
 */
export function takeIn(journal: Journal, found: FoundAttempt, workerId: number): boolean {
  const { run, number, token, fingerprint, started_at, reservedUsd } = found
  const isTaken = journal.get('SELECT 1 FROM runs WHERE name = ? AND key <> ?', run.name, run.key) !== undefined
  if (isTaken) return false
  journal.run(
    `INSERT INTO runs (key, name, spec, why, generation, position, state)
     VALUES (?, ?, ?, 'found on disk', 0, 0, 'ready') ON CONFLICT (key) DO NOTHING`,
    run.key,
    run.name,
    specOf(run),
  )
  const row = journal.get<{ id: number; attempts: number }>('SELECT id, attempts FROM runs WHERE key = ?', run.key)
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

/** How many attempts of a run the journal knows of. */
export const attemptsOf = (journal: Journal, runName: string): number =>
  journal.get<{ attempts: number }>('SELECT attempts FROM runs WHERE name = ?', runName)?.attempts ?? 0

/** The next call plans anew: which of the runs are wanted may have changed. */
export function forgetPlan(journal: Journal): void {
  journal.run(`UPDATE experiment SET generation_hash = '', definition_hash = ''`)
}
