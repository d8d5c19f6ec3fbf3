import type { AttemptMode } from '../../define/job.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'

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
      facts: JSON.parse(row.facts ?? '{}') as JsonObject,
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
