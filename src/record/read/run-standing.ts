import type { OutcomeKind } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { Journal } from '../journal/journal.ts'
import { runOf } from '../journal/run-row.ts'
import { isIn, stateOf } from './standing.ts'

/** How one run stands: what decides whether it would be run, reused or left. */
export interface RunStanding {
  readonly id: number
  readonly name: string
  /** One of the states that add up to `planned`. */
  readonly state: ReturnType<typeof stateOf>
  /** The state that it would have if its definition were the present one; where it is not stale, the same. */
  readonly ended: ReturnType<typeof stateOf>
  readonly fingerprint: string | null
  /** Where the limit stood that cut it, if one did. */
  readonly cut_at: number | null
  /** Its name, for limits on money and calls. */
  readonly limit: string | null
  readonly attempts: number
  readonly failure: string | null
  readonly failures: number
  /** The declared outputs that were there when it ended. */
  readonly outputs: readonly string[]
  /** Who made its last attempt. */
  readonly worker_id: number | null
}

/** By key, compared with the fingerprint that runs would have now. */
export function runStandings(journal: Journal, fingerprint: string): Map<string, RunStanding> {
  const rows = journal.all<StandingRow>(standingSql('?1'), fingerprint)
  return new Map(rows.map(row => [row.key, standingOf(row)]))
}

/**
 * The runs of the current plan that have ended, compared with the fingerprint in force: all but those that completed by
 * it, which may be a million and stay as they are.
 */
export function endedStandings(journal: Journal): EndedStanding[] {
  const present = '(SELECT fingerprint FROM experiment)'
  return journal
    .all<StandingRow & { readonly spec: string }>(
      `${standingSql(present, ', r.spec')} WHERE r.generation = (SELECT generation FROM experiment)
         AND r.state IN ('finished', 'quarantined')
         AND NOT (r.state = 'finished' AND r.outcome = 'completed' AND r.fingerprint = ${present})`,
    )
    .map(({ spec, ...row }) => ({ ...standingOf(row), run: runOf({ key: row.key, name: row.name, spec }) }))
}

export interface EndedStanding extends RunStanding {
  readonly run: Run
}

const standingSql = (present: string, more = ''): string =>
  `SELECT r.id, r.key, r.name, r.state, r.outcome, r.fingerprint, r.cut_at, r.attempts, r.failure, r.failures, a.outputs,
     a.worker_id, a.facts ->> 'limit' AS "limit", r.fingerprint <> ${present} AND a.fingerprint <> ${present} AS stale${more}
   FROM runs r LEFT JOIN attempts a ON a.id = r.attempt_id`

function standingOf({ key: _, stale, outcome, outputs, ...row }: StandingRow): RunStanding {
  return {
    ...row,
    state: stateOf({ state: row.state, outcome, stale }),
    ended: stateOf({ state: row.state, outcome, stale: 0 }),
    outputs: listOf(outputs),
  }
}

interface StandingRow extends Omit<RunStanding, 'state' | 'ended' | 'outputs'> {
  readonly key: string
  readonly state: string
  readonly outcome: OutcomeKind | null
  readonly stale: number | null
  readonly outputs: string | null
}

/**
 * Why no completed run that the last call selected has a value of a metric, by the example of one of them; null: one has,
 * or none had to.
 */
export function metricProblem(journal: Journal, metric: string): string | null {
  // From the runs to their metrics: the first value that is found is enough.
  const found = (having: string) =>
    journal.get<{ run: string; problem: string }>(
      `SELECT r.name AS run, m.problem FROM runs r CROSS JOIN metrics m ON m.attempt_id = r.attempt_id AND m.name = ?
       WHERE ${isIn('call', 'r')} AND r.state = 'finished' AND r.outcome = 'completed' AND ${having} LIMIT 1`,
      metric,
    )
  if (found('m.value IS NOT NULL') !== undefined) return null
  const lacking = found('m.value IS NULL')
  return lacking === undefined ? null : `${lacking.run}: ${lacking.problem}`
}

/** Of the completed runs that the last call selected: how many say whether they passed, and how many did. */
export function passesOf(journal: Journal, metric: string): { readonly passed: number; readonly judged: number } {
  const found = journal.get<{ passed: number; judged: number }>(
    `SELECT count(*) AS judged, coalesce(sum(m.value >= 1), 0) AS passed
     FROM runs r CROSS JOIN metrics m ON m.attempt_id = r.attempt_id AND m.name = ?
     WHERE ${isIn('call', 'r')} AND r.state = 'finished' AND r.outcome = 'completed' AND m.value IS NOT NULL`,
    metric,
  )
  return found ?? { passed: 0, judged: 0 }
}

/** The declared outputs that each completed run of the plan had. */
export function completedOutputs(journal: Journal): { id: number; name: string; had: readonly string[] }[] {
  const rows = journal.all<{ id: number; name: string; outputs: string }>(
    `SELECT r.id, r.name, a.outputs FROM runs r JOIN attempts a ON a.id = r.attempt_id
     WHERE r.generation = (SELECT generation FROM experiment) AND r.state = 'finished' AND r.outcome = 'completed'`,
  )
  return rows.map(({ id, name, outputs }) => ({ id, name, had: listOf(outputs) }))
}

const listOf = (json: string | null): string[] => JSON.parse(json ?? '[]') as string[]
