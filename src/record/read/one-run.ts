import type { AttemptMode, Series } from '../../define/job.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'
import { objectIn, runIn, seriesIn } from '../journal/stored.ts'

/** One execution of a run, as `why` and `status` tell it. */
export interface AttemptRecord {
  readonly number: number
  readonly outcome: OutcomeKind | null
  readonly facts: JsonObject
  readonly fingerprint: string
  readonly started_at: number
  readonly ended_at: number | null
  readonly wall_s: number | null
  readonly cost_usd: number | null
  readonly cost_assumed: boolean
  readonly superseded: boolean
  readonly worker: string
  readonly mode: AttemptMode
  /** The number of the attempt that it went on from, or scored; null: none. */
  readonly continues: number | null
}

export function attemptsOf(journal: Journal, runId: number): AttemptRecord[] {
  return journal
    .all<AttemptRow>(
      `SELECT a.number, a.outcome, a.facts, a.fingerprint, a.started_at, a.ended_at, a.wall_s, a.cost_usd,
              a.cost_assumed, a.superseded, a.mode,
              (SELECT c.number FROM attempts c WHERE c.id = a.continues) AS continues, w.host || ':' || w.pid AS worker
       FROM attempts a JOIN workers w ON w.id = a.worker_id WHERE a.run_id = ? ORDER BY a.number, a.id`,
      runId,
    )
    .map(row => ({
      ...row,
      facts: objectIn(row.facts, 'attempts.facts', journal),
      cost_assumed: row.cost_assumed === 1,
      superseded: row.superseded === 1,
    }))
}

interface AttemptRow extends Omit<AttemptRecord, 'facts' | 'cost_assumed' | 'superseded'> {
  readonly facts: string | null
  readonly cost_assumed: number
  readonly superseded: number
}

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

export function runById(journal: Journal, id: number): Run {
  const row = journal.get<{ key: string; name: string; spec: string }>(
    'SELECT key, name, spec FROM runs WHERE id = ?',
    id,
  )
  if (row === undefined) throw new AssayError('not_found', `run ${id} is gone`)
  return runIn(row, journal)
}

/** A run as it stands, with what its last attempt gave. */
export interface RunNow extends Readings {
  readonly id: number
  readonly run: Run
  /** Its outcome once it has one, else what it is doing. */
  readonly state: string
}

/** The run of exactly this name. */
export function runNamed(journal: Journal, name: string): RunNow {
  const row = journal.get<{
    id: number
    key: string
    name: string
    spec: string
    state: string
    outcome: string | null
    attempt_id: number | null
  }>('SELECT id, key, name, spec, state, outcome, attempt_id FROM runs WHERE name = ?', name)
  if (row === undefined) throw new AssayError('not_found', `there is no run ${JSON.stringify(name)} in this experiment`)
  const state = row.state === 'finished' ? (row.outcome ?? row.state) : row.state
  return { id: row.id, run: runIn(row, journal), state, ...readingsOf(journal, row.attempt_id) }
}

interface Readings {
  readonly metrics: Readonly<Record<string, number>>
  readonly problems: Readonly<Record<string, string>>
  readonly series: readonly Series[]
}

function readingsOf(journal: Journal, attempt: number | null): Readings {
  const readings = journal.all<{ name: string; value: number | null; problem: string | null }>(
    'SELECT name, value, problem FROM metrics WHERE attempt_id = ? ORDER BY name',
    attempt,
  )
  const series = journal.all<{ name: string; steps: string; points: string }>(
    'SELECT name, steps, points FROM series WHERE attempt_id = ? ORDER BY name',
    attempt,
  )
  return {
    metrics: Object.fromEntries(readings.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))),
    problems: Object.fromEntries(
      readings.flatMap(({ name, value, problem }) => (value === null ? [[name, problem ?? 'not read']] : [])),
    ),
    series: series.map(row => seriesIn(row, journal)),
  }
}
