import type { Outcome } from '../../define/outcome.ts'
import type { Series } from '../../define/run.ts'
import type { SeriesSoFar } from '../../plan/stoppers/registry.ts'
import { number, numberOrNull, outcomeKind, type RowOf, text, textOrNull } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { numbersIn, outcomeIn, runColumns, runIn, seriesIn } from '../journal/stored.ts'
import { isIn } from './standing.ts'

/** Current activity in an experiment: its workers, running runs, speed, latest failures, and why it stopped. */

/**
 * Changes whenever a run ends, or the plan, the definition or labels change: two datasets of the same version are
 * equal.
 */
export function journalVersion(journal: Journal): string {
  const row = journal.get(
    { generation: number, definition: text, fingerprint: text, settled: number, labels: number, created: number },
    `SELECT generation, definition_hash AS definition, fingerprint, settled, created_at AS created,
            (SELECT count(*) FROM labels) AS labels FROM experiment`,
  )
  if (row === undefined) return 'none'
  const hashes = [row.definition, row.fingerprint].map(hash => hash.slice(0, 12))
  return [row.created, row.generation, row.settled, row.labels, ...hashes].join('-')
}

/** Roughly how many runs there have ever been, without counting them. */
export const runsEver = (journal: Journal): number =>
  journal.get({ n: numberOrNull }, 'SELECT max(id) AS n FROM runs')?.n ?? 0

/** When the last attempt ended; null: none has. */
export const lastEndAt = (journal: Journal): number | null =>
  journal.get({ at: numberOrNull }, 'SELECT max(ended_at) AS at FROM attempts')?.at ?? null

/** Why the last call stopped, unless something was started since. */
export function lastStop(journal: Journal): string | null {
  const found = journal.get(
    { reason: textOrNull },
    `SELECT json_extract(data, '$.reason') AS reason FROM events
     WHERE kind = 'stopped' AND at >= (SELECT max(started_at) FROM attempts) ORDER BY id DESC LIMIT 1`,
  )
  return found?.reason ?? null
}

export interface RunningAttempt {
  readonly run: string
  readonly attempt: number
  readonly started_at: number
  readonly workerId: number
}

/** As far as the journal knows: the process that ran them may be gone. */
export const runningAttempts = (journal: Journal): readonly RunningAttempt[] =>
  journal.all(
    { run: text, attempt: number, started_at: number, workerId: number },
    `SELECT r.name AS run, a.number AS attempt, a.started_at, a.worker_id AS workerId FROM attempts a JOIN runs r ON r.id = a.run_id
     WHERE a.ended_at IS NULL AND r.state = 'running' ORDER BY a.started_at`,
  )

/** The newest runs of the experiment that failed. */
export function newestFailures(
  journal: Journal,
  most: number,
): readonly { readonly run: string; readonly outcome: Outcome }[] {
  const rows = journal.all(
    { run: text, outcome: outcomeKind, facts: textOrNull },
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
  /** How many attempts the figure is based on. */
  readonly ended: number
  /** When the first of them ended, or, if there are few, when the first present worker joined. */
  readonly since: number
  readonly wall_s: number
}

/** Based on at most so many attempts that ended since the first present worker joined. */
export function paceLately(journal: Journal, most: number): Pace {
  const found = journal.get(
    { ended: number, since: numberOrNull, joined: numberOrNull, wall_s: numberOrNull },
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

/** Whether any run has reported a number. */
export const hasMetrics = (journal: Journal): boolean => journal.has('SELECT 1 FROM metrics LIMIT 1')

/** The completed run of the experiment with the best value; null: none has one. */
export function bestRun(
  journal: Journal,
  metric: string,
  goal: 'minimize' | 'maximize',
): { readonly value: number; readonly run: string } | null {
  const found = journal.get(
    { value: number, run: text },
    `SELECT m.value, r.name AS run FROM metrics m JOIN runs r ON r.attempt_id = m.attempt_id
     WHERE m.name = ? AND m.value IS NOT NULL AND r.state = 'finished' AND r.outcome = 'completed'
       AND ${isIn('experiment', 'r')}
     ORDER BY m.value ${goal === 'minimize' ? 'ASC' : 'DESC'} LIMIT 1`,
    metric,
  )
  return found ?? null
}

/**
 * Why no completed run of the last call's selection has a value of a metric, with one run as an example; null: one has
 * it, or none needed it.
 */
export function metricProblem(journal: Journal, metric: string): string | null {
  // From the runs to their metrics: the first value found is enough.
  const found = (having: string) =>
    journal.get(
      { run: text, problem: textOrNull },
      `SELECT r.name AS run, m.problem FROM runs r CROSS JOIN metrics m ON m.attempt_id = r.attempt_id AND m.name = ?
       WHERE ${isIn('call', 'r')} AND r.state = 'finished' AND r.outcome = 'completed' AND ${having} LIMIT 1`,
      metric,
    )
  if (found('m.value IS NOT NULL') !== undefined) return null
  const lacking = found('m.value IS NULL')
  return lacking === undefined ? null : `${lacking.run}: ${lacking.problem}`
}

/** Of the completed runs that the last call selected: how many report whether they passed, and how many did. */
export function passesOf(journal: Journal, metric: string): { readonly passed: number; readonly judged: number } {
  const found = journal.get(
    { passed: number, judged: number },
    `SELECT count(*) AS judged, coalesce(sum(m.value >= 1), 0) AS passed
     FROM runs r CROSS JOIN metrics m ON m.attempt_id = r.attempt_id AND m.name = ?
     WHERE ${isIn('call', 'r')} AND r.state = 'finished' AND r.outcome = 'completed' AND m.value IS NOT NULL`,
    metric,
  )
  return found ?? { passed: 0, judged: 0 }
}

/** What runs settled after `seen` reported of a metric, with the number to continue from. */
export function settledSeries(journal: Journal, metric: string, seen: number): { series: SeriesSoFar[]; seen: number } {
  const rows = journal.all(
    { ...seriesColumns, settled: number, outcome: outcomeKind },
    `SELECT r.key, r.name, r.spec, r.settled, r.outcome, s.steps, s.points
     FROM runs r JOIN experiment e ON e.fingerprint = r.fingerprint JOIN series s ON s.attempt_id = r.attempt_id AND s.name = ?
     WHERE r.settled > ? AND r.state = 'finished' ORDER BY r.settled`,
    metric,
    seen,
  )
  return {
    series: rows.map(row => ({ ...soFar(row, journal), isRunning: false, isComplete: row.outcome === 'completed' })),
    seen: rows.at(-1)?.settled ?? seen,
  }
}

/** What runs of other processes have reported so far, as far as those have written it to the journal. */
export function seriesElsewhere(journal: Journal, metric: string, workerId: number): SeriesSoFar[] {
  const rows = journal.all(
    seriesColumns,
    `SELECT r.key, r.name, r.spec, s.steps, s.points
     FROM runs r JOIN attempts a ON a.id = r.attempt_id JOIN series s ON s.attempt_id = a.id AND s.name = ?
     WHERE r.generation = (SELECT generation FROM experiment) AND r.state = 'running' AND a.worker_id <> ?`,
    metric,
    workerId,
  )
  return rows.map(row => ({ ...soFar(row, journal), isRunning: true, isComplete: false }))
}

/** Shows other processes what a run of this one has reported so far. */
export function shareSeries(
  journal: Journal,
  attempt: { readonly token: string; readonly workerId: number },
  series: { readonly metric: string; readonly steps: readonly number[]; readonly values: readonly number[] },
): void {
  journal.run(
    `INSERT OR REPLACE INTO series (attempt_id, name, steps, points)
     SELECT id, ?, ?, ? FROM attempts WHERE worker_id = ? AND ended_at IS NULL AND token = ?`,
    series.metric,
    JSON.stringify(series.steps),
    JSON.stringify(series.values),
    attempt.workerId,
    attempt.token,
  )
}

const seriesColumns = {
  ...runColumns,
  steps: text,
  points: text,
}

type SeriesRow = RowOf<typeof seriesColumns>

const soFar = (row: SeriesRow, journal: Journal) => {
  const { steps, values } = seriesIn(row, journal)
  return { run: runIn(row, journal), steps, values }
}

/** At most so many points of a series, evenly spaced, always with the first and the last: for display. */
export function thinSeries(series: Series, most: number): Series {
  const count = series.values.length
  if (count <= most) return series
  const at = Array.from({ length: most }, (_, index) => Math.round((index * (count - 1)) / (most - 1)))
  const pick = (numbers: readonly number[]): number[] => at.map(index => numbers[index] ?? 0)
  return { metric: series.metric, steps: pick(series.steps), values: pick(series.values) }
}

/** Every value that was reported at a step, in the order of the plan and of the reports. */
export function* reportedPoints(
  journal: Journal,
): Generator<{ readonly run: string; readonly metric: string; readonly step: number; readonly value: number | null }> {
  const stored = journal.iterate(
    { name: text, metric: text, steps: text, points: text },
    `SELECT r.name, s.name AS metric, s.steps, s.points FROM runs r JOIN series s ON s.attempt_id = r.attempt_id
     ORDER BY r.id, s.name`,
  )
  for (const { name, metric, steps, points } of stored) {
    const values = numbersIn(points, 'series.points', journal)
    for (const [index, step] of numbersIn(steps, 'series.steps', journal).entries())
      yield { run: name, metric, step, value: values[index] ?? null }
  }
}

/** What running runs have reported so far, by run, as far as their processes have written it to the journal. */
export function runningSeries(
  journal: Journal,
  { mostMetrics, mostPoints }: { readonly mostMetrics: number; readonly mostPoints: number },
): ReadonlyMap<string, readonly Series[]> {
  const rows = journal.all(
    { run: text, name: text, steps: text, points: text },
    `SELECT r.name AS run, s.name, s.steps, s.points
     FROM runs r JOIN attempts a ON a.id = r.attempt_id JOIN series s ON s.attempt_id = a.id
     WHERE ${isIn('experiment', 'r')} AND r.state = 'running' AND a.ended_at IS NULL`,
  )
  const read = (row: (typeof rows)[number]): Series => thinSeries(seriesIn(row, journal), mostPoints)
  return new Map(
    [...Map.groupBy(rows, ({ run }) => run)].map(([run, own]) => [run, own.slice(0, mostMetrics).map(read)]),
  )
}

/** The cost of one model's calls for one purpose, according to the ledger. */
const callCostColumns = {
  purpose: text,
  model: text,
  calls: number,
  /** As counted by providers, without interrupted calls. */
  input_tokens: number,
  cached_input_tokens: number,
  cache_write_tokens: number,
  output_tokens: number,
  reasoning_tokens: number,
  cost_usd: number,
  /** The unreported part: the most that those calls can have cost. */
  assumed_usd: number,
  /** The part that exceeded the reservation. */
  overrun_usd: number,
}

export type CallCosts = RowOf<typeof callCostColumns>

/** The most expensive first. `run`: only of this run, by name, all its attempts. */
export function callCosts(journal: Journal, run: string | null = null): readonly CallCosts[] {
  return journal.all(
    callCostColumns,
    `SELECT coalesce(purpose, '') AS purpose, model, coalesce(sum(calls), 0) AS calls,
       coalesce(sum(input_tokens), 0) AS input_tokens, coalesce(sum(cached_input_tokens), 0) AS cached_input_tokens,
       coalesce(sum(cache_write_tokens), 0) AS cache_write_tokens, coalesce(sum(output_tokens), 0) AS output_tokens,
       coalesce(sum(reasoning_tokens), 0) AS reasoning_tokens, sum(usd) AS cost_usd,
       coalesce(sum(usd) FILTER (WHERE kind = 'assumed'), 0) AS assumed_usd, sum(overrun_usd) AS overrun_usd
     FROM ledger
     WHERE model IS NOT NULL AND (?1 IS NULL OR attempt_id IN (
       SELECT a.id FROM attempts a JOIN runs r ON r.id = a.run_id WHERE r.name = ?1))
     GROUP BY purpose, model ORDER BY cost_usd DESC, purpose, model`,
    run,
  )
}

/** The cost of every attempt, by its token: copies of an experiment have the same tokens. */
export function costsByToken(journal: Journal): ReadonlyMap<string, number> {
  const rows = journal.all({ token: text, usd: numberOrNull }, 'SELECT token, cost_usd AS usd FROM attempts')
  return new Map(rows.map(({ token, usd }) => [token, usd ?? 0]))
}
