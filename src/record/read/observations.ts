import { basename, dirname, isAbsolute, join } from 'node:path'
import { type Attempt, type Observation, type RunRecord, recordOf } from '../../define/observation.ts'
import type { Outcome } from '../../define/outcome.ts'
import type { Run, Series } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import {
  attemptMode,
  number,
  numberOrNull,
  orNull,
  outcomeKindOrNull,
  type RowOf,
  runState,
  text,
  textOrNull,
} from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { outcomeIn, runIn, textsIn } from '../journal/stored.ts'
import {
  attemptsOfRetried,
  knownCostOf,
  type Labels,
  labelsByRun,
  metricsByAttempt,
  type Readings,
  rowsOf,
  seriesByAttempt,
  type Which,
  type WorkerFacts,
  workersById,
} from './run-parts.ts'
import { isIn, type Scope, stateOf } from './standing.ts'

export { findRun, someRunNames } from './find-run.ts'

/** Which runs are read, and how much of them. */
export interface RecordOptions extends Parts {
  /** Default: the experiment. `ever_planned`: also runs that are no longer in the definition. */
  readonly scope?: Scope | 'ever_planned'
  readonly notCompleted?: boolean
}

/** Parts of a record that need another pass over a table, and memory. */
interface Parts {
  /** Default: true. The largest table by far. */
  readonly metrics?: boolean
  /** Default: none. */
  readonly series?: 'all' | readonly string[]
  /** Default: false. */
  readonly attempts?: boolean
}

/** Every such run, in the order in which they were planned. */
export function recordedRuns(journal: Journal, options: RecordOptions = {}): Generator<RunRecord> {
  const { scope = 'experiment', notCompleted = false, ...parts } = options
  const conditions = [
    ...(scope === 'ever_planned' ? [] : [isIn(scope, 'r')]),
    ...(notCompleted ? [`r.outcome IS NOT 'completed'`] : []),
  ]
  return readRuns(journal, { where: conditions.join(' AND ') || 'true', values: [] }, parts)
}

/** The runs that have a result of the present definition. Runs that are to be repeated or are stale have none. */
export function* observations(journal: Journal, parts: Parts): Generator<Observation> {
  for (const run of recordedRuns(journal, parts)) if (isObservation(run) && !withoutResult.has(run.state)) yield run
}

const withoutResult: ReadonlySet<string> = new Set(['pending', 'running', 'stale'])

const isObservation = (run: RunRecord): run is Observation => run.outcome !== null

/**
 * Lets {@link observationsSince} and `settledSeries` read only new rows instead of all runs each time. Only made for
 * readers that need it: otherwise it would cost a page per run.
 */
export function indexNews(journal: Journal): void {
  journal.run('CREATE INDEX IF NOT EXISTS runs_settled ON runs (settled) WHERE settled IS NOT NULL')
}

/**
 * Runs settled after `seen`, oldest first, with the number to continue from. A run that is to be repeated has no result
 * until then: its old result would mislead a search.
 */
export function observationsSince(journal: Journal, seen: number): { observations: Observation[]; seen: number } {
  const news = journal.all(
    { id: number, settled: number },
    `SELECT id, settled FROM runs WHERE settled > ? AND state IN ('finished', 'quarantined') ORDER BY settled`,
    seen,
  )
  const last = news.at(-1)
  if (last === undefined) return { observations: [], seen }
  const ids = JSON.stringify(news.map(({ id }) => id))
  const which = {
    where: 'r.id IN (SELECT value FROM json_each(?))',
    values: [ids],
    order: 'r.settled',
    isFew: true,
  } as const
  return { observations: [...readRuns(journal, which, { series: 'all' })].filter(isObservation), seen: last.settled }
}

/** The run of exactly this name, with everything; undefined: there is none. */
export function recordNamed(journal: Journal, name: string): RunRecord | undefined {
  const [only] = readRuns(
    journal,
    { where: 'r.name = ?', values: [name], isFew: true },
    { series: 'all', attempts: true },
  )
  return only
}

/** One pass over each table, never a query for each run. */
function* readRuns(journal: Journal, which: Which, parts: Parts): Generator<RunRecord> {
  const { metrics = true, series = [], attempts = false } = parts
  const beside: Beside = {
    source: basename(dirname(journal.file)),
    readings: metrics ? metricsByAttempt(journal, which) : new Map(),
    series: series.length === 0 ? new Map() : seriesByAttempt(journal, which, series),
    attempts: attempts ? attemptsOfRetried(journal, which) : null,
    labels: labelsByRun(journal),
    workers: workersById(journal),
  }
  const rows = rowsOf(
    journal,
    which,
    runColumns,
    `SELECT r.id, r.key, r.name, r.spec, r.state, r.outcome, r.attempts, r.attempt_id, r.why,
            r.fingerprint <> e.fingerprint AND coalesce(a.fingerprint <> e.fingerprint, true) AS stale, t.stopped,
            a.outcome AS ended, a.facts, a.fingerprint, a.token, a.worker_id, a.started_at, a.ended_at, a.wall_s, a.cpu_s,
            a.max_rss_bytes, a.place, a.outputs, a.number, a.mode, a.superseded,
            ${knownCostOf('a')} AS last_cost_usd, a.cost_assumed AS last_cost_assumed,
            ${costOfAll} AS cost_usd, max(a.cost_assumed, r.cost_assumed) AS cost_assumed
     FROM runs r JOIN experiment e LEFT JOIN attempts a ON a.id = r.attempt_id LEFT JOIN trials t ON t.id = r.trial
     WHERE ${which.where} ORDER BY ${which.order ?? 'r.id'}`,
    ...which.values,
  )
  for (const row of rows) yield runRecord(journal, row, beside)
}

/**
 * SQL: the cost of all attempts of a run together; null if the last attempt, whose result counts, did not report its
 * cost, or part of it is unknown. The result of a run that is to be made anew cost what its own attempt did.
 */
const costOfAll = `CASE WHEN a.cost_usd IS NULL OR a.cost_unknown THEN NULL
  WHEN a.number < r.counts_from THEN a.cost_usd WHEN r.cost_unknown THEN NULL
  WHEN a.ended_at IS NULL THEN r.cost_usd + a.cost_usd ELSE r.cost_usd END`

/** A metric `cost_usd` is the run's, not only its last attempt's. */
function withCostOfAll({ metrics, problems }: Readings, cost: number | null): Readings {
  if (metrics.cost_usd === undefined) return { metrics, problems }
  if (cost !== null) return { metrics: { ...metrics, cost_usd: cost }, problems }
  const { cost_usd: _, ...others } = metrics
  return {
    metrics: others,
    problems: { ...problems, cost_usd: 'the cost of an earlier attempt of the run is unknown' },
  }
}

const runColumns = {
  id: number,
  key: text,
  name: text,
  spec: text,
  state: runState,
  outcome: outcomeKindOrNull,
  attempts: number,
  attempt_id: numberOrNull,
  why: text,
  stale: numberOrNull,
  ended: outcomeKindOrNull,
  /** Why the rest of its trial was not made. */
  stopped: textOrNull,
  facts: textOrNull,
  fingerprint: textOrNull,
  token: textOrNull,
  worker_id: numberOrNull,
  started_at: numberOrNull,
  ended_at: numberOrNull,
  wall_s: numberOrNull,
  cpu_s: numberOrNull,
  max_rss_bytes: numberOrNull,
  place: textOrNull,
  outputs: textOrNull,
  number: numberOrNull,
  mode: orNull(attemptMode),
  superseded: numberOrNull,
  last_cost_usd: numberOrNull,
  last_cost_assumed: numberOrNull,
  cost_usd: numberOrNull,
  cost_assumed: numberOrNull,
}

type RunRow = RowOf<typeof runColumns>

/** Data about the runs from other tables. */
interface Beside {
  readonly source: string
  readonly readings: ReadonlyMap<number, Readings>
  readonly series: ReadonlyMap<number, readonly Series[]>
  /** Of runs with several; null: not asked for. */
  readonly attempts: ReadonlyMap<number, readonly Attempt[]> | null
  readonly labels: ReadonlyMap<number, Labels>
  readonly workers: ReadonlyMap<number, WorkerFacts>
}

// Shared by all runs: a hundred thousand empty lists are 2 MB.
const noReadings: Readings = { metrics: {}, problems: {} }
const noLabels: Labels = { tags: [], notes: [] }
const none: readonly never[] = []

function runRecord(journal: Journal, row: RunRow, beside: Beside): RunRecord {
  const state = stateOf(row)
  const { metrics, problems } = withCostOfAll(beside.readings.get(row.attempt_id ?? -1) ?? noReadings, row.cost_usd)
  const { tags, notes } = beside.labels.get(row.id) ?? noLabels
  const worker = beside.workers.get(row.worker_id ?? -1)
  const outcome = outcomeOf(journal, row)
  return {
    ...recordOf(runIn(row, journal)),
    source: beside.source,
    state: state === 'ready' ? 'pending' : state,
    outcome,
    metrics,
    problems,
    series: beside.series.get(row.attempt_id ?? -1) ?? none,
    started_at: row.started_at,
    ended_at: row.ended_at,
    wall_s: row.wall_s,
    cpu_s: row.cpu_s,
    max_rss_bytes: row.max_rss_bytes,
    cost_usd: row.cost_usd,
    cost_assumed: row.cost_assumed === 1,
    place: row.place,
    outputs: row.outputs === null || row.outputs === '[]' ? none : textsIn(row.outputs, 'attempts.outputs', journal),
    code: worker?.code ?? null,
    fingerprint: row.fingerprint,
    token: row.token,
    // A grid has nothing more to say than that it is a grid: only a search gives reasons.
    why: row.why === 'grid' ? null : row.why,
    tags,
    notes,
    attempts: beside.attempts === null ? none : (beside.attempts.get(row.id) ?? onlyAttempt(row, outcome, worker)),
  }
}

/**
 * Outcome of its last attempt; a run that was dropped with its trial has none, or an earlier one that did not finish
 * it.
 */
function outcomeOf(journal: Journal, { state, outcome, ended, facts, stopped }: RunRow): Outcome | null {
  if (state === 'finished' && outcome === 'stopped_early' && ended !== 'stopped_early')
    return { kind: outcome, ...(stopped !== null && { message: stopped }) }
  return ended && outcomeIn(ended, facts, journal)
}

/** Most runs have one attempt, which is their last. */
function onlyAttempt(row: RunRow, outcome: Outcome | null, worker: WorkerFacts | undefined): readonly Attempt[] {
  if (row.number === null || row.started_at === null) return none
  return [
    {
      number: row.number,
      outcome,
      fingerprint: row.fingerprint,
      started_at: row.started_at,
      ended_at: row.ended_at,
      wall_s: row.wall_s,
      cost_usd: row.last_cost_usd,
      cost_assumed: row.last_cost_assumed === 1,
      superseded: row.superseded === 1,
      worker: worker?.name ?? null,
      mode: row.mode ?? 'run',
      continues: null,
    },
  ]
}

/** The folder of a run's files, of an experiment in this directory; null: it has none. */
export function folderOf({ place }: Pick<RunRecord, 'place'>, dir: string): string | null {
  if (place === null) return null
  return isAbsolute(place) ? place : join(dir, place)
}

/** The run of exactly this name, with everything that is known of it. */
export function runNamed(journal: Journal, name: string): RunRecord {
  const found = recordNamed(journal, name)
  if (found === undefined) throw noRun(name)
  return found
}

/** The same run as it was planned. */
export function plannedRun(journal: Journal, name: string): Run {
  const row = journal.get(
    { key: text, name: text, spec: text },
    'SELECT key, name, spec FROM runs WHERE name = ?',
    name,
  )
  if (row === undefined) throw noRun(name)
  return runIn(row, journal)
}

const noRun = (name: string): AssayError =>
  new AssayError('not_found', `there is no run ${JSON.stringify(name)} in this experiment`)
