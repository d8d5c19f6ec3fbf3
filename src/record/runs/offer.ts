import type { Experiment } from '../../define/experiment.ts'
import type { Proposal } from '../../plan/planner.ts'
import type { Json } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'
import { specOf } from '../journal/run-row.ts'
import { lastingNames } from './lasting-names.ts'

/** Takes the right to plan, if nobody alive has it. Planning itself happens outside any transaction. */
export function takePlannerLease(journal: Journal, workerId: number): boolean {
  return (
    journal.run(
      `UPDATE experiment SET planner_lease = ?1 WHERE planner_lease IS NULL OR planner_lease = ?1
       OR planner_lease IN (SELECT id FROM workers WHERE left_at IS NOT NULL)`,
      workerId,
    ) > 0
  )
}

export interface Offer {
  readonly workerId: number
  readonly generation: number
  /** The definition that the proposals are made from. */
  readonly experiment: Experiment
  readonly proposals: readonly Proposal[]
  readonly state: Json
  readonly done: boolean
  /** The last settled run that the planner has been told of. */
  readonly seen: number
}

/**
 * Writes a window of proposals and the planner's state, and gives the lease back, all at once: a crash in between
 * makes the same proposals again. A run that is there already is left as it is, if it is known to be wanted. Returns
 * how many are new; null when somebody else has begun another plan meanwhile.
 */
export function offerRuns(journal: Journal, offer: Offer): number | null {
  return journal.transaction(() => {
    const held = journal.run(
      `UPDATE experiment SET planner_state = ?, planner_done = ?, planner_seen = ?, planner_lease = NULL
       WHERE planner_lease = ? AND generation = ?`,
      JSON.stringify(offer.state),
      offer.done ? 1 : 0,
      offer.seen,
      offer.workerId,
      offer.generation,
    )
    if (held === 0) return null
    let position = nextPosition(journal)
    let added = 0
    const lasting = lastingNames(journal, offer.experiment)
    for (const { run: proposed, why } of offer.proposals) {
      const run = lasting(proposed)
      added += journal.run(
        `INSERT INTO runs (key, name, spec, why, generation, position, state, in_definition)
         VALUES (?, ?, ?, ?, ?, ?, 'ready', 1)
         ON CONFLICT (key) DO UPDATE SET generation = excluded.generation, position = excluded.position, in_definition = 1
         WHERE generation <> excluded.generation`,
        run.key,
        run.name,
        specOf(run),
        why,
        offer.generation,
        position++,
      )
    }
    return added
  })
}

function nextPosition(journal: Journal): number {
  const row = journal.get<{ next: number }>('SELECT coalesce(max(id), 0) + 1 AS next FROM runs')
  return row?.next ?? 1
}
