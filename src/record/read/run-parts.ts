import type { Attempt } from '../../define/observation.ts'
import type { Series } from '../../define/run.ts'
import {
  attemptMode,
  type Columns,
  number,
  numberOrNull,
  oneOf,
  outcomeKindOrNull,
  type RowOf,
  text,
  textOrNull,
} from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { objectIn, outcomeIn, seriesIn } from '../journal/stored.ts'

/** Data about runs from other tables: one pass over each, never a query per run. */

/** A condition on `runs r`. */
export interface Which {
  readonly where: string
  readonly values: readonly string[]
  readonly order?: string
  /** Queried often, with few rows each time. */
  readonly isFew?: true
}

/** A cursor must be compiled each time it is opened, which takes longer than reading a few rows at once. */
export const rowsOf = <Of extends Columns>(
  journal: Journal,
  { isFew }: Which,
  columns: Of,
  sql: string,
  ...values: readonly string[]
): Iterable<RowOf<Of>> =>
  isFew === true ? journal.all(columns, sql, ...values) : journal.iterate(columns, sql, ...values)

/** SQL: the cost of an attempt or a run; null if part of it is unknown. */
export const knownCostOf = (table: string): string =>
  `CASE WHEN ${table}.cost_unknown THEN NULL ELSE ${table}.cost_usd END`

/** The attempts of runs with several attempts. */
export function attemptsOfRetried(journal: Journal, which: Which): ReadonlyMap<number, readonly Attempt[]> {
  const { where, values } = which
  const isAny = journal.has(`SELECT 1 FROM runs r WHERE r.attempts > 1 AND ${where} LIMIT 1`, ...values)
  if (!isAny) return new Map()
  // From the attempts to their runs: the other way would need an index.
  const rows = rowsOf(
    journal,
    which,
    attemptColumns,
    `SELECT a.run_id, a.number, a.outcome, a.facts, a.fingerprint, a.started_at, a.ended_at, a.wall_s, ${knownCostOf('a')} AS cost_usd,
            a.cost_assumed, a.superseded, a.mode, (SELECT c.number FROM attempts c WHERE c.id = a.continues) AS continues,
            w.host || ':' || w.pid AS worker
     FROM attempts a CROSS JOIN runs r ON r.id = a.run_id LEFT JOIN workers w ON w.id = a.worker_id
     WHERE r.attempts > 1 AND ${where} ORDER BY a.number, a.id`,
    ...values,
  )
  const byRun = new Map<number, Attempt[]>()
  for (const { run_id, outcome, facts, cost_assumed, superseded, ...row } of rows)
    listIn(byRun, run_id).push({
      ...row,
      outcome: outcome && outcomeIn(outcome, facts, journal),
      cost_assumed: cost_assumed === 1,
      superseded: superseded === 1,
    })
  return byRun
}

const attemptColumns = {
  run_id: number,
  number,
  outcome: outcomeKindOrNull,
  facts: textOrNull,
  fingerprint: text,
  started_at: number,
  ended_at: numberOrNull,
  wall_s: numberOrNull,
  cost_usd: numberOrNull,
  cost_assumed: number,
  superseded: number,
  mode: attemptMode,
  continues: numberOrNull,
  worker: textOrNull,
}

export interface Readings {
  readonly metrics: Record<string, number>
  readonly problems: Record<string, string>
}

export function metricsByAttempt(journal: Journal, which: Which): ReadonlyMap<number, Readings> {
  const { where, values } = which
  const byAttempt = new Map<number, Readings>()
  const rows = rowsOf(
    journal,
    which,
    metricColumns,
    `SELECT m.attempt_id, m.name, m.value, m.problem FROM runs r CROSS JOIN metrics m ON m.attempt_id = r.attempt_id
     WHERE ${where}`,
    ...values,
  )
  for (const row of rows) {
    const readings = byAttempt.get(row.attempt_id) ?? { metrics: {}, problems: {} }
    byAttempt.set(row.attempt_id, readings)
    if (row.value !== null) readings.metrics[row.name] = row.value
    else readings.problems[row.name] = row.problem ?? 'not read'
  }
  return byAttempt
}

const metricColumns = { attempt_id: number, name: text, value: numberOrNull, problem: textOrNull }

export function seriesByAttempt(
  journal: Journal,
  which: Which,
  wanted: 'all' | readonly string[],
): ReadonlyMap<number, readonly Series[]> {
  const { where, values } = which
  const byAttempt = new Map<number, Series[]>()
  const rows = rowsOf(
    journal,
    which,
    seriesColumns,
    `SELECT s.attempt_id, s.name, s.steps, s.points FROM runs r CROSS JOIN series s ON s.attempt_id = r.attempt_id
     WHERE ${where}${wanted === 'all' ? '' : ' AND s.name IN (SELECT value FROM json_each(?))'}`,
    ...values,
    ...(wanted === 'all' ? [] : [JSON.stringify(wanted)]),
  )
  for (const row of rows) listIn(byAttempt, row.attempt_id).push(seriesIn(row, journal))
  return byAttempt
}

const seriesColumns = { attempt_id: number, name: text, steps: text, points: text }

export interface Labels {
  readonly tags: readonly string[]
  readonly notes: readonly string[]
}

export function labelsByRun(journal: Journal): ReadonlyMap<number, Labels> {
  const rows = journal.all(
    { run_id: number, kind: oneOf(['tag', 'note']), text: text },
    'SELECT run_id, kind, text FROM labels WHERE run_id IS NOT NULL ORDER BY at, rowid',
  )
  const byRun = new Map<number, { readonly tags: string[]; readonly notes: string[] }>()
  for (const { run_id, kind, text } of rows) {
    const labels = byRun.get(run_id) ?? { tags: [], notes: [] }
    byRun.set(run_id, labels)
    labels[kind === 'tag' ? 'tags' : 'notes'].push(text)
  }
  return byRun
}

export interface WorkerFacts {
  readonly name: string
  /** The commit of its code. */
  readonly code: string | null
}

export function workersById(journal: Journal): ReadonlyMap<number, WorkerFacts> {
  const rows = journal.all(
    { id: number, name: text, git: textOrNull },
    `SELECT w.id, w.host || ':' || w.pid AS name, json_extract(p.facts, '$.git') AS git
     FROM workers w LEFT JOIN provenance p ON p.id = w.provenance_id`,
  )
  return new Map(
    rows.map(({ id, name, git }) => {
      const facts = git === null ? null : objectIn(git, 'provenance.facts', journal)
      return [id, { name, code: facts === null ? null : `${String(facts.commit)}${facts.dirty ? '+' : ''}` }]
    }),
  )
}

function listIn<Item>(lists: Map<number, Item[]>, key: number): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
