import type { PlannerOptions } from '../../plan/planner.ts'
import type { Json } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'

/** The runs wanted from now on, when they are no longer those of the last call. */
export interface Generation {
  readonly hash: string
  readonly options: PlannerOptions
  readonly planned: number | null
  readonly plannerState: Json
  /** Every wanted key, in order; read only as far as runs that exist need it. */
  readonly keys: Iterable<string>
}

/**
 * Starts a new generation: runs that exist and are still wanted come along, in the new order; the others stay in the
 * journal, out of the plan. Only keys that exist are kept in memory, so a million planned runs cost none.
 */
export function startGeneration(journal: Journal, generation: Generation): void {
  journal.transaction(() => {
    journal.run(
      `UPDATE experiment SET generation = generation + 1, generation_hash = ?, plan_options = ?, planned = ?,
         planner_state = ?, planner_done = 0, planner_seen = 0, planner_lease = NULL`,
      generation.hash,
      JSON.stringify(generation.options),
      generation.planned,
      JSON.stringify(generation.plannerState),
    )
    const existing = new Map(
      journal.all<{ key: string; id: number }>('SELECT key, id FROM runs').map(r => [r.key, r.id]),
    )
    const total = existing.size
    let position = 0
    for (const key of existing.size > 0 ? generation.keys : []) {
      const id = existing.get(key)
      // Positions of runs that exist are negative: they come before whatever is offered later.
      if (id !== undefined) {
        journal.run(
          'UPDATE runs SET generation = (SELECT generation FROM experiment), position = ? WHERE id = ?',
          position++ - total,
          id,
        )
        existing.delete(key)
        if (existing.size === 0) break
      }
    }
  })
}
