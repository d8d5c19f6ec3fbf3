import type { AttemptMode } from '../../define/job.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
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
