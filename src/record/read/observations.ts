import { isAbsolute, join } from 'node:path'
import type { Series } from '../../define/job.ts'
import type { Observation, RecordedRun } from '../../define/observation.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'
import { runIn } from '../journal/stored.ts'
import { isIn, type Scope, stateOf } from './standing.ts'

/** Every run of the definition, of what the last call selected, or all there ever were; in the order they were planned. */
export function* recordedRuns(
  journal: Journal,
  options: {
    readonly scope?: Scope
    readonly everPlanned?: boolean
    readonly withoutMetrics?: boolean
    readonly notCompleted?: boolean
  } = {},
): Generator<RecordedRun> {
  // Of all tables the largest by far: who needs none of it does without.
  const readings = options.withoutMetrics ? new Map<number, Readings>() : metricsByAttempt(journal)
  const rows = journal.iterate<RecordedRow>(
    `SELECT r.id, r.key, r.name, r.spec, r.state, r.outcome, r.attempts, r.attempt_id,
            r.fingerprint <> e.fingerprint AND a.fingerprint <> e.fingerprint AS stale,
            a.outcome AS ended, a.facts, a.started_at, a.ended_at, a.wall_s, a.cpu_s, a.max_rss_bytes, a.place,
            ${costOfAll} AS cost_usd, max(a.cost_assumed, r.cost_assumed) AS cost_assumed, a.outputs
     FROM runs r JOIN experiment e LEFT JOIN attempts a ON a.id = r.attempt_id
     WHERE (? OR ${isIn(options.scope ?? 'experiment', 'r')}) AND (? OR r.outcome IS NOT 'completed') ORDER BY r.id`,
    options.everPlanned ? 1 : 0,
    options.notCompleted ? 0 : 1,
  )
  for (const row of rows) yield recordedRun(journal, row, readings.get(row.attempt_id ?? -1) ?? noReadings)
}

/**
 * SQL: what a run has cost, all its attempts together; null where the last, whose result counts, did not say. The result
 * of one that is to be made anew cost what its own attempt did.
 */
const costOfAll = `CASE WHEN a.cost_usd IS NULL OR a.number < r.counts_from THEN a.cost_usd
  WHEN a.ended_at IS NULL THEN r.cost_usd + a.cost_usd ELSE r.cost_usd END`

/** A metric `cost_usd` is the run's, not only its last attempt's. */
const withCostOfAll = (metrics: Record<string, number>, cost: number | null): Record<string, number> =>
  metrics.cost_usd === undefined || cost === null ? metrics : { ...metrics, cost_usd: cost }

interface RecordedRow {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly state: string
  readonly outcome: OutcomeKind | null
  readonly attempts: number
  readonly attempt_id: number | null
  readonly stale: number | null
  readonly ended: OutcomeKind | null
  readonly facts: string | null
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly wall_s: number | null
  readonly cpu_s: number | null
  readonly max_rss_bytes: number | null
  readonly cost_usd: number | null
  readonly place: string | null
  readonly cost_assumed: number | null
  readonly outputs: string | null
}

interface Readings {
  readonly metrics: Record<string, number>
  readonly problems: Record<string, string>
}

const noReadings: Readings = { metrics: {}, problems: {} }

function recordedRun(journal: Journal, row: RecordedRow, readings: Readings): RecordedRun {
  const state = stateOf(row)
  return {
    id: row.id,
    run: runIn(row, journal),
    state: state === 'ready' ? 'pending' : state,
    outcome: row.ended && { kind: row.ended, ...(JSON.parse(row.facts ?? '{}') as JsonObject) },
    attempts: row.attempts,
    started_at: row.started_at,
    ended_at: row.ended_at,
    wall_s: row.wall_s,
    cpu_s: row.cpu_s,
    max_rss_bytes: row.max_rss_bytes,
    cost_usd: row.cost_usd,
    cost_assumed: row.cost_assumed === 1,
    place: row.place,
    outputs: JSON.parse(row.outputs ?? '[]') as string[],
    metrics: withCostOfAll(readings.metrics, row.cost_usd),
    problems: readings.problems,
  }
}

/** One pass over the table instead of a query per run. */
function metricsByAttempt(journal: Journal): Map<number, Readings> {
  const byAttempt = new Map<number, Readings>()
  const rows = journal.iterate<{ attempt_id: number; name: string; value: number | null; problem: string | null }>(
    'SELECT m.attempt_id, m.name, m.value, m.problem FROM metrics m JOIN runs r ON r.attempt_id = m.attempt_id',
  )
  for (const row of rows) {
    const readings = byAttempt.get(row.attempt_id) ?? { metrics: {}, problems: {} }
    byAttempt.set(row.attempt_id, readings)
    if (row.value !== null) readings.metrics[row.name] = row.value
    else readings.problems[row.name] = row.problem ?? 'not read'
  }
  return byAttempt
}

/**
 * Runs that were settled after `seen`, oldest first, with the number to go on from. One that is to run again has no
 * result until it has: its old one would mislead a search.
 */
export function observationsSince(journal: Journal, seen: number): { observations: Observation[]; seen: number } {
  const rows = journal.all<SettledRow>(
    `SELECT r.key, r.name, r.spec, r.settled, r.attempt_id, a.outcome, a.facts, a.wall_s,
            ${costOfAll} AS cost_usd
     FROM runs r JOIN attempts a ON a.id = r.attempt_id
     WHERE r.settled > ? AND r.state IN ('finished', 'quarantined') ORDER BY r.settled`,
    seen,
  )
  return {
    observations: rows.map(row => observation(journal, row)),
    seen: rows.at(-1)?.settled ?? seen,
  }
}

interface SettledRow {
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly settled: number
  readonly attempt_id: number
  readonly outcome: OutcomeKind
  readonly facts: string
  readonly wall_s: number
  readonly cost_usd: number | null
}

function observation(journal: Journal, row: SettledRow): Observation {
  const metrics = journal.all<{ name: string; value: number }>(
    'SELECT name, value FROM metrics WHERE attempt_id = ? AND value IS NOT NULL',
    row.attempt_id,
  )
  return {
    run: runIn(row, journal),
    outcome: { kind: row.outcome, ...(JSON.parse(row.facts) as JsonObject) },
    metrics: withCostOfAll(Object.fromEntries(metrics.map(({ name, value }) => [name, value])), row.cost_usd),
    series: seriesOf(journal, row.attempt_id),
    cost_usd: row.cost_usd,
    wall_s: row.wall_s,
  }
}

function seriesOf(journal: Journal, attemptId: number): Series[] {
  return journal
    .all<{ name: string; steps: string; points: string }>(
      'SELECT name, steps, points FROM series WHERE attempt_id = ?',
      attemptId,
    )
    .map(row => ({
      metric: row.name,
      steps: JSON.parse(row.steps) as number[],
      values: JSON.parse(row.points) as number[],
    }))
}

/** The folder of a run's files, of an experiment in this directory; null: it has none. */
export function folderOf({ place }: Pick<RecordedRun, 'place'>, dir: string): string | null {
  if (place === null) return null
  return isAbsolute(place) ? place : join(dir, place)
}
