import type { OutcomeKind } from '../../define/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { stateOf } from './standing.ts'

/** How one run stands: what decides whether it would be run, reused or left. */
export interface RunStanding {
  readonly id: number
  readonly name: string
  /** One of the states that add up to `planned`. */
  readonly state: ReturnType<typeof stateOf>
  readonly fingerprint: string | null
  /** The limit that cut it, if one did. */
  readonly cut_at: number | null
  readonly attempts: number
  readonly failure: string | null
  readonly failures: number
  readonly has_metrics: boolean
}

/** By key, compared with the fingerprint that runs would have now. */
export function runStandings(journal: Journal, fingerprint: string): Map<string, RunStanding> {
  const rows = journal.all<StandingRow>(
    `SELECT id, key, name, state, outcome, fingerprint, fingerprint <> ? AS stale, cut_at, attempts, failure, failures,
            EXISTS (SELECT 1 FROM metrics m WHERE m.attempt_id = runs.attempt_id AND m.value IS NOT NULL) AS has_metrics
     FROM runs`,
    fingerprint,
  )
  return new Map(
    rows.map(row => {
      const { key, stale, outcome, ...rest } = row
      return [
        key,
        { ...rest, state: stateOf({ state: row.state, outcome, stale }), has_metrics: row.has_metrics === 1 },
      ]
    }),
  )
}

interface StandingRow extends Omit<RunStanding, 'state' | 'has_metrics'> {
  readonly key: string
  readonly state: string
  readonly outcome: OutcomeKind | null
  readonly stale: number | null
  readonly has_metrics: number
}
