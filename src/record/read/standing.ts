import { type CostForecast, cutOff, type OutcomeKind, type Summary } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import { remainingTotal, type Stratum } from '../../stats/index.ts'
import { number, numberOrNull, outcomeKindOrNull, type RowOf, runState, text, textOrNull } from '../journal/columns.ts'
import { readExperiment } from '../journal/experiment-row.ts'
import type { Journal } from '../journal/journal.ts'
import { runIn, textsIn } from '../journal/stored.ts'

/** The state of the experiment, or of the part that its last call selected; from the journal alone. */
export function standing(journal: Journal, dir: string, about: StandingAbout = {}): Summary {
  const { scope = 'experiment', reused = 0, wall_s = 0 } = about
  const experiment = readExperiment(journal)
  const count = tally(journal, scope, about.fingerprint ?? experiment?.fingerprint ?? '')
  const offered = Object.values(count).reduce((sum, n) => sum + n, 0)
  const all = scope === 'call' ? experiment?.planned : experiment?.definitionPlanned
  const planned = Math.max(all ?? 0, offered)
  // Attempts are never deleted, so the id of the last one is their number; counting would read them all.
  const attempts = journal.get({ n: number }, 'SELECT coalesce(max(id), 0) AS n FROM attempts')?.n ?? 0
  return {
    dir,
    planned,
    completed: count.completed,
    failed: count.failed,
    timed_out: count.timed_out,
    cost_limited: count.cost_limited,
    rate_limited: count.rate_limited,
    stopped_early: count.stopped_early,
    cancelled: count.cancelled,
    infra_error: count.infra_error,
    quarantined: count.quarantined,
    stale: count.stale,
    running: count.running,
    pending: count.ready + planned - offered,
    reused,
    attempts,
    cost_usd: experiment?.spentUsd ?? 0,
    overrun_usd: experiment?.overrunUsd ?? 0,
    wall_s,
  }
}

interface StandingAbout extends Partial<CallFacts> {
  readonly scope?: Scope
  /** Decides which runs are stale; default: that of the last call's definition. */
  readonly fingerprint?: string | undefined
}

/** Of a call: how many runs were completed before it, and how long it took. */
interface CallFacts {
  readonly reused: number
  readonly wall_s: number
}

/** Facts about the newest `run` (or `worker`, if there was none), finished or not. */
export function lastCall(journal: Journal): CallFacts {
  const facts = journal.get(
    { reused: number, wall_s: number },
    `SELECT max(0, coalesce(heartbeat_elapsed - joined_elapsed, coalesce(left_at, heartbeat_at) - joined_at)) / 1000.0 AS wall_s,
       (SELECT count(*) FROM runs r JOIN attempts a ON a.id = r.attempt_id
        WHERE ${isIn('experiment', 'r')} AND r.state = 'finished' AND r.outcome = 'completed'
          AND r.fingerprint = (SELECT fingerprint FROM experiment) AND a.ended_at <= w.joined_at) AS reused
     FROM workers w ORDER BY kind = 'run' DESC, id DESC LIMIT 1`,
  )
  return facts ?? { reused: 0, wall_s: 0 }
}

/**
 * SQL: whether a run's result belongs to another definition than the present one. A result that was accepted for a
 * later definition still belongs to the one it was made with.
 */
export const isOfAnother = isOfOther('(SELECT fingerprint FROM experiment)')

function isOfOther(present: string): string {
  return `(fingerprint <> ${present}
  AND coalesce((SELECT a.fingerprint FROM attempts a WHERE a.id = runs.attempt_id) <> ${present}, true))`
}

/**
 * Runs that are in the journal but not in the present definition: with levels that it no longer has, or made with
 * another one.
 */
export function outsideDefinition(journal: Journal): {
  readonly runs: number
  readonly failed: number
  readonly foreign: number
} {
  // The first plan leaves nothing out, and checking that takes as long as reading all runs.
  if ((readExperiment(journal)?.generation ?? 0) <= 1) return { runs: 0, failed: 0, foreign: 0 }
  const row = journal.get(
    { runs: number, failed: number, foreign_runs: number },
    `SELECT count(*) AS runs, count(*) FILTER (WHERE outcome IN ('failed', 'timed_out', 'infra_error')) AS failed,
            count(*) FILTER (WHERE ${isOfAnother}) AS foreign_runs
     FROM runs WHERE in_definition = 0 AND state IN ('finished', 'quarantined')`,
  )
  return { runs: row?.runs ?? 0, failed: row?.failed ?? 0, foreign: row?.foreign_runs ?? 0 }
}

type State = OutcomeKind | 'quarantined' | 'stale' | 'running' | 'ready'

function tally(journal: Journal, scope: Scope, fingerprint: string): Record<State, number> {
  const count: Record<State, number> = {
    completed: 0,
    failed: 0,
    timed_out: 0,
    cost_limited: 0,
    rate_limited: 0,
    stopped_early: 0,
    cancelled: 0,
    infra_error: 0,
    quarantined: 0,
    stale: 0,
    running: 0,
    ready: 0,
  }
  // Grouping sorts all rows, which takes twice as long as reading them: so the most common state is counted first.
  const plain = journal.get(
    { n: number, completed: number, ready: number, running: number },
    `SELECT count(*) AS n, count(*) FILTER (WHERE ${isPlain}) AS completed,
            count(*) FILTER (WHERE state = 'ready') AS ready, count(*) FILTER (WHERE state = 'running') AS running
     FROM runs WHERE ${isIn(scope)}`,
    fingerprint,
  )
  if (plain === undefined) return count
  const { n, completed, ready, running } = plain
  if (n === completed + ready + running) return { ...count, completed, ready, running }
  const rest = journal.all(
    { state: runState, outcome: outcomeKindOrNull, stale: numberOrNull, n: number },
    `SELECT state, outcome, ${isOfOther('?1')} AS stale, count(*) AS n FROM runs
     WHERE ${isIn(scope)} AND (${isPlain}) IS NOT TRUE GROUP BY 1, 2, 3`,
    fingerprint,
  )
  for (const row of rest) count[stateOf(row)] += row.n
  return { ...count, completed: count.completed + completed }
}

/** SQL: completed, and made with the present definition. */
const isPlain = `state = 'finished' AND outcome = 'completed' AND fingerprint = ?1`

/** The one state that a run is in, of those that add up to `planned`. */
export function stateOf(row: {
  readonly state: string
  readonly outcome: OutcomeKind | null
  readonly stale: number | boolean | null
}): State {
  if (row.state === 'ready' || row.state === 'running') return row.state
  const isResult = row.state === 'quarantined' || row.outcome === null || !cutOff.includes(row.outcome)
  if (row.stale && isResult) return 'stale'
  if (row.state === 'quarantined') return 'quarantined'
  return row.outcome ?? 'ready'
}

/**
 * Which runs a reader means. `experiment`: all runs of the definition, whichever calls selected them; analysis, status
 * and reports use these. `call`: those that the last call selected; that call's own summary uses these.
 */
export type Scope = 'experiment' | 'call'

/** SQL: whether a row of `runs` is one of them; `runs` may have another name in the query. */
export function isIn(scope: Scope, runs = 'runs'): string {
  return scope === 'call' ? `${runs}.generation = (SELECT generation FROM experiment)` : `${runs}.in_definition = 1`
}

type StillToCome = Pick<Summary, 'pending' | 'running'>

const level = 0.9

/**
 * Predicts each variant by its own runs if there are enough; the interval is for the runs to come, not for their mean.
 * null: nothing costs anything, nothing is left to run, or too little is known.
 */
export function forecastCost(
  journal: Journal,
  { pending, running }: StillToCome,
  scope: Scope = 'experiment',
): CostForecast | null {
  const money = journal.get(
    { spent: number, under_way: number },
    `SELECT spent_usd AS spent,
            (SELECT coalesce(sum(cost_usd), 0) FROM attempts WHERE ended_at IS NULL) AS under_way FROM experiment`,
  )
  if (money === undefined || money.spent === 0 || pending + running === 0) return null
  const strata = costStrata(journal, scope)
  const offered = strata.reduce((sum, { toCome }) => sum + toCome, 0)
  // Runs that the planner has not offered yet.
  const unseen = Math.max(0, pending + running - offered)
  const rest = remainingTotal(strata, unseen, level)
  if (rest === null) return null
  // The money that running runs have already spent is part of their predicted cost.
  const settled = money.spent - money.under_way
  const total = (usd: number) => Math.max(money.spent, settled + usd)
  return {
    estimate_usd: total(rest.estimate),
    low_usd: total(rest.low),
    high_usd: total(rest.high),
    level,
    runs: strata.reduce((sum, { n }) => sum + n, 0),
    to_come: offered + unseen,
  }
}

/** Runs that were interrupted say little about the cost of a run. */
const isOver = `r.state = 'finished' AND r.cost_unknown = 0 AND r.outcome IN ('completed', 'failed', 'timed_out', 'stopped_early')`

/** By variant: the costs of its finished runs, including all attempts, and how many of its runs are not finished. */
function costStrata(journal: Journal, scope: Scope): readonly Stratum[] {
  return journal.all(
    { variant: text, n: number, sum: number, sumOfSquares: number, toCome: number },
    `SELECT (r.spec ->> 'params') || coalesce(r.spec ->> 'ablation', '') AS variant,
            count(c.usd) FILTER (WHERE ${isOver}) AS n,
            coalesce(sum(c.usd) FILTER (WHERE ${isOver}), 0) AS sum,
            coalesce(sum(c.usd * c.usd) FILTER (WHERE ${isOver}), 0) AS sumOfSquares,
            count(*) FILTER (WHERE r.state IN ('ready', 'running') AND ${isIn(scope, 'r')}) AS toCome
     FROM runs r LEFT JOIN (
       SELECT run_id, sum(cost_usd) AS usd FROM attempts WHERE cost_usd IS NOT NULL GROUP BY run_id
     ) c ON c.run_id = r.id
     WHERE ${isIn('experiment', 'r')} GROUP BY 1`,
  )
}

export interface TrialCounts {
  /** All runs of these so far have ended. */
  readonly finished: number
  readonly stopped_early: number
  /** Begun, with runs still to be made. */
  readonly open: number
  /** Not begun. */
  readonly pending: number
}

/** The state of the trials of the present definition; null if a search counts none. */
export function trialCounts(journal: Journal): TrialCounts | null {
  const row = journal.get(
    { trials: number, finished: number, stopped_early: number, open: number, pending: number },
    `SELECT count(*) AS trials, count(*) FILTER (WHERE stopped IS NOT NULL) AS stopped_early,
            count(*) FILTER (WHERE stopped IS NULL AND left_over = 0) AS finished,
            count(*) FILTER (WHERE stopped IS NULL AND left_over > 0 AND ended > 0) AS "open",
            count(*) FILTER (WHERE stopped IS NULL AND left_over > 0 AND ended = 0) AS pending
     FROM (SELECT t.stopped, sum(r.state IN ('ready', 'running')) AS left_over, sum(r.attempts > 0) AS ended
           FROM runs r LEFT JOIN trials t ON t.id = r.trial
           WHERE r.in_definition = 1 AND r.trial IS NOT NULL GROUP BY r.trial)`,
  )
  if (row === undefined || row.trials === 0) return null
  const { trials: _, ...counts } = row
  return counts
}

/** The state of one run: what decides whether it would be run, reused or left. */
export interface RunStanding {
  readonly id: number
  readonly name: string
  /** One of the states that add up to `planned`. */
  readonly state: ReturnType<typeof stateOf>
  /** The state that it would have if its definition were the present one; the same if it is not stale. */
  readonly ended: ReturnType<typeof stateOf>
  readonly fingerprint: string | null
  /** The value of the limit that cut it, if one did. */
  readonly cutAt: number | null
  /** Its name, for limits on money and calls. */
  readonly limit: string | null
  readonly attempts: number
  readonly failure: string | null
  readonly failures: number
  /** The declared outputs that were there when it ended. */
  readonly outputs: readonly string[]
  /** The worker of its last attempt. */
  readonly workerId: number | null
  /** Why the rest of its trial is not run; null: it is, or no trials are counted. */
  readonly stopped: string | null
}

/** Rows read at a time where runs are asked for in the order of the journal. */
const readAhead = 500

/**
 * The state of a run, by its key, compared with the fingerprint that runs would have now. A plan asks for runs mostly
 * in the order in which they were offered: then many are read at once, and only those are in memory.
 */
export function standingReader(journal: Journal, fingerprint: string): (key: string) => RunStanding | undefined {
  let ahead = new Map<string, StandingRow>()
  let following = Number.NaN
  const rowOf = (key: string): StandingRow | undefined => {
    const known = ahead.get(key)
    if (known !== undefined) return known
    const row = journal.get(standingColumns, `${standingSql('?1')} WHERE r.key = ?2`, fingerprint, key)
    if (row?.id !== following) return row
    const sql = `${standingSql('?1')} WHERE r.id > ?2 ORDER BY r.id LIMIT ?3`
    const rows = journal.all(standingColumns, sql, fingerprint, row.id, readAhead)
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
 * The ended runs of the current plan, compared with the current fingerprint. Without those that it completed: there may
 * be a million, and they stay as they are.
 */
export function endedStandings(journal: Journal): EndedStanding[] {
  const present = '(SELECT fingerprint FROM experiment)'
  return journal
    .all(
      { ...standingColumns, spec: text },
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
  `SELECT r.id, r.key, r.name, r.state, r.outcome, r.fingerprint, r.cut_at AS cutAt, r.attempts, r.failure, r.failures, a.outputs,
     a.worker_id AS workerId, a.facts ->> 'limit' AS "limit", r.fingerprint <> ${present} AND coalesce(a.fingerprint <> ${present}, true) AS stale, t.stopped${more}
   FROM runs r LEFT JOIN attempts a ON a.id = r.attempt_id LEFT JOIN trials t ON t.id = r.trial`

function standingOf({ key: _, stale, outcome, outputs, ...row }: StandingRow, journal: Journal): RunStanding {
  return {
    ...row,
    state: stateOf({ state: row.state, outcome, stale }),
    ended: stateOf({ state: row.state, outcome, stale: 0 }),
    outputs: outputsIn(outputs, journal),
  }
}

const standingColumns = {
  id: number,
  key: text,
  name: text,
  state: runState,
  outcome: outcomeKindOrNull,
  fingerprint: textOrNull,
  cutAt: numberOrNull,
  attempts: number,
  failure: textOrNull,
  failures: number,
  outputs: textOrNull,
  workerId: numberOrNull,
  limit: textOrNull,
  stale: numberOrNull,
  stopped: textOrNull,
}

type StandingRow = RowOf<typeof standingColumns>

/** The declared outputs that each completed run of the plan had. */
export function completedOutputs(journal: Journal): { id: number; name: string; had: readonly string[] }[] {
  const rows = journal.all(
    { id: number, name: text, outputs: text },
    `SELECT r.id, r.name, a.outputs FROM runs r JOIN attempts a ON a.id = r.attempt_id
     WHERE r.generation = (SELECT generation FROM experiment) AND r.state = 'finished' AND r.outcome = 'completed'`,
  )
  return rows.map(({ id, name, outputs }) => ({ id, name, had: outputsIn(outputs, journal) }))
}

const outputsIn = (text: string | null, journal: Journal): readonly string[] =>
  textsIn(text, 'attempts.outputs', journal)
