import type { Run } from '../../define/run.ts'
import type { PlannerOptions } from '../../plan/planner.ts'
import type { Json } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'
import { runOf } from '../journal/run-row.ts'

/** The runs wanted from now on, when they are no longer those of the last call. */
export interface Generation {
  readonly hash: string
  readonly options: PlannerOptions
  readonly planned: number | null
  readonly plannerState: Json
  /** The runs that exist and are still wanted, in the new order: see {@link stillWanted}. */
  readonly wanted: readonly number[]
}

/** The runs that count for analysis from now on: those of the definition, selected by this call or not. */
export interface DefinitionRuns {
  readonly hash: string
  /** How many there are in all; null: only the future can tell. */
  readonly planned: number | null
  /** Those that exist. */
  readonly ids: readonly number[]
}

/**
 * Which runs of the journal are among the planned ones, in the plan's order. Goes through the plan, but no further than
 * it must, and keeps only what exists in memory: a million planned runs cost none. Not for inside a transaction.
 */
export function stillWanted(journal: Journal, plannedKeys: Iterable<string>): number[] {
  const existing = new Map(journal.all<{ key: string; id: number }>('SELECT key, id FROM runs').map(r => [r.key, r.id]))
  const wanted: number[] = []
  if (existing.size === 0) return wanted
  for (const key of plannedKeys) {
    const id = existing.get(key)
    if (id !== undefined) wanted.push(id)
    if (wanted.length === existing.size) break
  }
  return wanted
}

/** Runs that are no longer the definition's stay in the journal, and count again when they are. */
export function setDefinitionRuns(journal: Journal, { hash, planned, ids }: DefinitionRuns): void {
  journal.transaction(() => {
    journal.run('UPDATE experiment SET definition_hash = ?, definition_planned = ?', hash, planned)
    // Only rows that change are written: where a definition grew, none is.
    const list = JSON.stringify(ids)
    const isListed = 'id IN (SELECT value FROM json_each(?))'
    journal.run(`UPDATE runs SET in_definition = 1 WHERE in_definition = 0 AND ${isListed}`, list)
    journal.run(`UPDATE runs SET in_definition = 0 WHERE in_definition = 1 AND NOT ${isListed}`, list)
  })
}

/**
 * The seeds of runs that count for analysis. Some of them may be of no definition: a call asked for them with `--seeds`.
 */
export function seedsInDefinition(journal: Journal): readonly Json[] {
  return journal
    .all<{ seed: string | null }>(
      `SELECT DISTINCT spec -> '$.block.seed' AS seed FROM runs WHERE in_definition = 1 AND ${hasEnded}`,
    )
    .flatMap(({ seed }) => (seed === null ? [] : [JSON.parse(seed) as Json]))
}

/** Which of these have ended. */
export function endedRuns(journal: Journal, ids: readonly number[]): readonly number[] {
  return journal
    .all<{ id: number }>(
      `SELECT id FROM runs WHERE id IN (SELECT value FROM json_each(?)) AND ${hasEnded}`,
      JSON.stringify(ids),
    )
    .map(({ id }) => id)
}

const hasEnded = `state IN ('finished', 'quarantined')`

/**
 * The runs of the journal that a search still counts as its own, in the order they were first proposed. What was proposed
 * and never begun is not among them: it is proposed again, if there is room for it now.
 */
export function keptRuns(journal: Journal, keeps: (run: Run) => boolean): { readonly id: number; readonly run: Run }[] {
  return journal
    .all<{ id: number; key: string; name: string; spec: string }>(
      `SELECT id, key, name, spec FROM runs WHERE attempts > 0 OR state <> 'ready' ORDER BY id`,
    )
    .map(row => ({ id: row.id, run: runOf(row) }))
    .filter(({ run }) => keeps(run))
}

/**
 * Starts a new generation: runs that exist and are still wanted come along, in the new order; the others stay in the
 * journal, out of the plan. One that a worker offers meanwhile is found again when the plan comes to it.
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
    // Positions of runs that exist are negative: they come before whatever is offered later.
    let position = -generation.wanted.length
    for (const id of generation.wanted)
      journal.run(
        'UPDATE runs SET generation = (SELECT generation FROM experiment), position = ? WHERE id = ?',
        position++,
        id,
      )
  })
}
