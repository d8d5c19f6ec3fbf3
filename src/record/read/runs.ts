import type { RunRecord } from '../../define/observation.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import type { Journal } from '../journal/journal.ts'
import { runIn, textsIn } from '../journal/stored.ts'
import { recordNamed } from './observations.ts'
import { isIn, stateOf } from './standing.ts'

/** The run with this name, key, or unambiguous beginning or ending of its name (the hash is enough). */
export function findRun(journal: Journal, wanted: string): { readonly id: number; readonly name: string } {
  const exact = journal.get<{ id: number; name: string }>(
    'SELECT id, name FROM runs WHERE name = ?1 OR key = ?1',
    wanted,
  )
  if (exact) return exact
  // All that stands before the hash is more than a beginning: seed-1 is not the beginning of seed-10.
  const whole = beginningWith(journal, `${wanted}__`)
  if (whole.length === 1 && whole[0]) return whole[0]
  const near = beginningWith(journal, wanted)
  if (near.length === 0) near.push(...endingWith(journal, wanted))
  const [only] = near
  if (only && near.length === 1) return only
  if (near.length > 1)
    throw new AssayError(
      'usage',
      `"${wanted}" fits several runs: ${near.map(run => run.name).join(', ')}${near.length > 5 ? ', …' : ''}`,
      {
        hint: 'Give the whole name, or the twelve characters at its end.',
      },
    )
  throw new AssayError('not_found', `there is no run "${wanted}" in this experiment`, {
    hint: '`assay plan` lists the runs and their names.',
  })
}

interface Found {
  readonly id: number
  readonly name: string
}

const beginningWith = (journal: Journal, start: string): Found[] =>
  journal.all<Found>('SELECT id, name FROM runs WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name LIMIT 6', start)

const endingWith = (journal: Journal, end: string): Found[] =>
  journal.all<Found>('SELECT id, name FROM runs WHERE substr(name, -length(?1)) = ?1 ORDER BY name LIMIT 6', end)

/** Some names of runs, to find what a mistyped one meant. */
export const someRunNames = (journal: Journal, most: number): readonly string[] =>
  journal.all<{ name: string }>('SELECT name FROM runs ORDER BY id LIMIT ?', most).map(({ name }) => name)

/** The run of exactly this name, with everything that is known of it. */
export function runNamed(journal: Journal, name: string): RunRecord {
  const found = recordNamed(journal, name)
  if (found === undefined) throw noRun(name)
  return found
}

/** The same as it was planned. */
export function plannedRun(journal: Journal, name: string): Run {
  const row = journal.get<{ key: string; name: string; spec: string }>(
    'SELECT key, name, spec FROM runs WHERE name = ?',
    name,
  )
  if (row === undefined) throw noRun(name)
  return runIn(row, journal)
}

const noRun = (name: string): AssayError =>
  new AssayError('not_found', `there is no run ${JSON.stringify(name)} in this experiment`)

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
  /** Why the rest of its trial is not run; null: it is, or no trials are counted. */
  readonly stopped: string | null
}

/** Rows read at a time where runs are asked for in the order of the journal. */
const readAhead = 500

/**
 * How a run stands, by its key, compared with the fingerprint that runs would have now. A plan asks for runs mostly in
 * the order in which they were offered: then many are read at once, and only those are in memory.
 */
export function standingReader(journal: Journal, fingerprint: string): (key: string) => RunStanding | undefined {
  let ahead = new Map<string, StandingRow>()
  let following = Number.NaN
  const rowOf = (key: string): StandingRow | undefined => {
    const known = ahead.get(key)
    if (known !== undefined) return known
    const row = journal.get<StandingRow>(`${standingSql('?1')} WHERE r.key = ?2`, fingerprint, key)
    if (row?.id !== following) return row
    const sql = `${standingSql('?1')} WHERE r.id > ?2 ORDER BY r.id LIMIT ?3`
    const rows = journal.all<StandingRow>(sql, fingerprint, row.id, readAhead)
    ahead = new Map(rows.map(next => [next.key, next]))
    return row
  }
  return key => {
    const row = rowOf(key)
    if (row === undefined) return undefined
    following = row.id + 1
    return standingOf(row, journal)
  }
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
    .map(({ spec, ...row }) => ({
      ...standingOf(row, journal),
      run: runIn({ key: row.key, name: row.name, spec }, journal),
    }))
}

export interface EndedStanding extends RunStanding {
  readonly run: Run
}

const standingSql = (present: string, more = ''): string =>
  `SELECT r.id, r.key, r.name, r.state, r.outcome, r.fingerprint, r.cut_at, r.attempts, r.failure, r.failures, a.outputs,
     a.worker_id, a.facts ->> 'limit' AS "limit", r.fingerprint <> ${present} AND coalesce(a.fingerprint <> ${present}, true) AS stale, t.stopped${more}
   FROM runs r LEFT JOIN attempts a ON a.id = r.attempt_id LEFT JOIN trials t ON t.id = r.trial`

function standingOf({ key: _, stale, outcome, outputs, ...row }: StandingRow, journal: Journal): RunStanding {
  return {
    ...row,
    state: stateOf({ state: row.state, outcome, stale }),
    ended: stateOf({ state: row.state, outcome, stale: 0 }),
    outputs: outputsIn(outputs, journal),
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
  return rows.map(({ id, name, outputs }) => ({ id, name, had: outputsIn(outputs, journal) }))
}

const outputsIn = (text: string | null, journal: Journal): readonly string[] =>
  textsIn(text, 'attempts.outputs', journal)
