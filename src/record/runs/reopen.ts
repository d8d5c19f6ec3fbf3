import { cutOff, type OutcomeKind } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { Journal } from '../journal/journal.ts'
import { runOf } from '../journal/run-row.ts'
import { isOfAnother } from '../read/standing.ts'

/** Which finished runs of the current generation are to run again; each counts the runs it made ready. */

/** Runs that ended this way. Their retries start anew. */
export function reopenOutcomes(journal: Journal, outcomes: readonly OutcomeKind[]): number {
  return journal.run(
    `${reopen} AND ${isUncompleted} AND outcome IN (SELECT value FROM json_each(?))`,
    JSON.stringify(outcomes),
  )
}

/**
 * Runs that were cut off for reasons outside them. How often they failed the same way still counts: one that meets the
 * same trouble in every call ends in quarantine. A wait that was left of an earlier call is over.
 */
export function reopenInterrupted(journal: Journal): number {
  journal.run(
    `UPDATE runs SET ready_at = 0 WHERE generation = (SELECT generation FROM experiment) AND state = 'ready' AND ready_at > 0`,
  )
  return journal.run(
    `UPDATE runs SET state = 'ready', ready_at = 0, retries = '{}'
     WHERE generation = (SELECT generation FROM experiment) AND ${isUncompleted}
       AND outcome IN (SELECT value FROM json_each(?))`,
    JSON.stringify(cutOff),
  )
}

/** Runs that the timeout cut, when it is longer now or gone. */
export function reopenTimedOut(journal: Journal, timeoutMs: number | null): number {
  return journal.run(`${reopen} AND ${isUncompleted} AND outcome = 'timed_out' AND ${isRaised}`, timeoutMs)
}

/** Runs that this limit on money or calls cut, when it is higher now for them or gone. */
export function reopenCut(journal: Journal, name: string, limitOf: (run: Run) => number | null): number {
  const cut = journal.all<{ id: number; key: string; name: string; spec: string; cut_at: number }>(
    `SELECT id, key, name, spec, cut_at FROM runs
     WHERE generation = (SELECT generation FROM experiment) AND ${isUncompleted} AND outcome = 'cost_limited'
       AND cut_at IS NOT NULL AND ? =
       (SELECT coalesce(a.facts ->> 'limit', 'run_budget_usd') FROM attempts a WHERE a.id = runs.attempt_id)`,
    name,
  )
  const raised = cut.filter(({ cut_at, ...row }) => {
    const limit = limitOf(runOf(row))
    return limit === null || cut_at < limit
  })
  for (const { id } of raised) reopenRun(journal, id)
  return raised.length
}

/** To the letter what the index `runs_uncompleted` says, or SQLite would not use it. */
const isUncompleted = `state = 'finished' AND outcome <> 'completed'`

const isRaised = 'cut_at IS NOT NULL AND (?1 IS NULL OR cut_at < ?1)'

/** Finished runs that belong to an earlier definition of the target. */
export function reopenStale(journal: Journal): number {
  return journal.run(`${reopen} AND ${isStale}`)
}

/** Stale runs are accepted as they are: from now on they count as runs of this definition. Attempts keep the truth. */
export function keepStale(journal: Journal): number {
  return journal.run(
    `UPDATE runs SET fingerprint = (SELECT fingerprint FROM experiment)
     WHERE generation = (SELECT generation FROM experiment) AND ${isStale}`,
  )
}

export function reopenQuarantined(journal: Journal): number {
  return journal.run(`${reopen} AND state = 'quarantined'`)
}

/** One run by its id, whatever its state; not while it is running. */
export function reopenRun(journal: Journal, runId: number): boolean {
  return journal.run(`${reopen} AND id = ? AND state <> 'running'`, runId) > 0
}

/** Everything that is not running. */
export function reopenAll(journal: Journal): number {
  return journal.run(`${reopen} AND state <> 'running'`)
}

// What was cut off runs again anyway: there is no result of an earlier definition to decide about.
const isStale = `${isOfAnother} AND (state = 'quarantined' OR
  (state = 'finished' AND outcome NOT IN (${cutOff.map(outcome => `'${outcome}'`).join(', ')})))`

const reopen = `UPDATE runs SET state = 'ready', ready_at = 0, retries = '{}', failure = NULL, failures = 0, cut_at = NULL
  WHERE generation = (SELECT generation FROM experiment)`

/** How many finished runs are stale, and one of their fingerprints to explain the change with. */
export function staleRuns(journal: Journal): { readonly count: number; readonly fingerprint: string | null } {
  const row = journal.get<{ count: number; fingerprint: string | null }>(
    `SELECT count(*) AS count, max(fingerprint) AS fingerprint FROM runs
     WHERE generation = (SELECT generation FROM experiment) AND ${isStale}`,
  )
  return row ?? { count: 0, fingerprint: null }
}
