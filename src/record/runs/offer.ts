import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import { isNumbered, templateName } from '../../plan/identity.ts'
import type { PlannerOptions, Proposal } from '../../plan/planner.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import { number, text, textOrNull } from '../journal/columns.ts'
import { plannerStateText } from '../journal/experiment-row.ts'
import type { Journal } from '../journal/journal.ts'
import { jsonIn, runColumns, runIn, specOf } from '../journal/stored.ts'
import { TakenNumbers } from './taken-numbers.ts'
import { dropStopped } from './trials.ts'

/** Takes the right to plan, if no live process has it. Planning itself happens outside any transaction. */
export function takePlannerLease(journal: Journal, workerId: number): boolean {
  return (
    journal.run(
      `UPDATE experiment SET planner_lease = ?1 WHERE planner_lease IS NULL OR planner_lease = ?1
       OR planner_lease IN (SELECT id FROM workers WHERE left_at IS NOT NULL)`,
      workerId,
    ) > 0
  )
}

interface Offer {
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
 * how many are new; null when another process has begun another plan meanwhile.
 */
export function offerRuns(journal: Journal, offer: Offer): number | null {
  const taken = takenIn.get(journal) ?? new TakenNumbers(journal)
  // Numbers taken for a window that is not written are free again.
  takenIn.delete(journal)
  const added = journal.transaction(() => {
    const held = journal.run(
      `UPDATE experiment SET planner_state = ?, planner_done = ?, planner_seen = ?, planner_lease = NULL
       WHERE planner_lease = ? AND generation = ?`,
      plannerStateText(journal, offer.state),
      offer.done ? 1 : 0,
      offer.seen,
      offer.workerId,
      offer.generation,
    )
    if (held === 0) return null
    let position = nextPosition(journal)
    let added = 0
    const lasting = lastingNames(journal, offer.experiment, taken)
    for (const { run: proposed, why, trial } of offer.proposals) {
      const run = lasting(proposed)
      added += journal.run(
        `INSERT INTO runs (key, name, spec, why, generation, position, state, in_definition, trial)
         VALUES (?, ?, ?, ?, ?, ?, 'ready', 1, ?)
         ON CONFLICT (key) DO UPDATE SET generation = excluded.generation, position = excluded.position, in_definition = 1,
           trial = excluded.trial
         WHERE generation <> excluded.generation`,
        run.key,
        run.name,
        specOf(run),
        why,
        offer.generation,
        position++,
        trial ?? null,
      )
    }
    if (offer.proposals.some(({ trial }) => trial !== undefined)) dropStopped(journal)
    return added
  })
  takenIn.set(journal, taken)
  return added
}

/** Kept from window to window: reading all runs again for each would take longer with every window. */
const takenIn = new WeakMap<Journal, TakenNumbers>()

function nextPosition(journal: Journal): number {
  const row = journal.get({ next: number }, 'SELECT coalesce(max(id), 0) + 1 AS next FROM runs')
  return row?.next ?? 1
}

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
  const existing = new Map(journal.all({ key: text, id: number }, 'SELECT key, id FROM runs').map(r => [r.key, r.id]))
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
    .all(
      { seed: textOrNull },
      `SELECT DISTINCT spec -> '$.block.seed' AS seed FROM runs WHERE in_definition = 1 AND ${hasEnded}`,
    )
    .flatMap(({ seed }) => (seed === null ? [] : [jsonIn(seed, 'runs.spec', journal)]))
}

/** Which of these have ended. */
export function endedRuns(journal: Journal, ids: readonly number[]): readonly number[] {
  return journal
    .all(
      { id: number },
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
    .all(
      { id: number, ...runColumns },
      `SELECT id, key, name, spec FROM runs WHERE attempts > 0 OR state <> 'ready' ORDER BY id`,
    )
    .map(row => ({ id: row.id, run: runIn(row, journal) }))
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

/**
 * Gives each run the name that it keeps. A plan numbers variants and runs by their place in it, which moves when levels
 * are added; the journal does not: a run that is there keeps its name, a variant its number, and whatever is new takes
 * the number of its place if that is free, or else the next one after all others. Make one inside each transaction that
 * writes names.
 */
export function lastingNames(
  journal: Journal,
  experiment: Experiment,
  taken = new TakenNumbers(journal),
): (run: Run) => Run {
  const { naming } = experiment
  if (!('template' in naming) || !isNumbered(naming.template)) return run => run
  const { template } = naming
  const added = new Map<string, NonNullable<Run['numbers']>>()
  const names = new Set<string>()
  taken.catchUp()
  const named = (run: Run, numbers: NonNullable<Run['numbers']>): Run => ({
    ...run,
    numbers,
    name: templateName(template, { ...run, numbers }, experiment),
  })
  return run => {
    const own = added.get(run.key)
    if (own !== undefined) return named(run, own)
    const row = journal.get(runColumns, 'SELECT key, name, spec FROM runs WHERE key = ?', run.key)
    if (row !== undefined) return runIn(row, journal)
    const numbers = taken.take(run)
    const result = named(run, numbers)
    const isTaken = journal.has('SELECT 1 FROM runs WHERE name = ?', result.name)
    if (isTaken || names.has(result.name)) throw nameIsTaken(result.name)
    added.set(run.key, numbers)
    names.add(result.name)
    return result
  }
}

/** A name is assigned once: refuses a plan in which one would go from the run that has it to another. */
export function refuseTakenNames(journal: Journal, runs: Iterable<Run>): void {
  for (const { name, key } of runs) {
    if (isNameTaken(journal, { name, key })) throw nameIsTaken(name)
  }
}

export const isNameTaken = (journal: Journal, { name, key }: Pick<Run, 'name' | 'key'>): boolean =>
  journal.has('SELECT 1 FROM runs WHERE name = ? AND key <> ?', name, key)

function nameIsTaken(name: string): AssayError {
  return new AssayError('usage', `the name ${name} belongs to a run with other parameters in this directory`, {
    hint: 'Give this experiment another name (--exp-name), or add what changed to `naming`.',
    facts: { name },
  })
}

/** How a run stands, as far as its folder should fit: what is completed is not looked at again. */
export function recordOf(journal: Journal, runName: string): 'completed' | 'other' | 'unknown' {
  const row = journal.get(
    { state: text, outcome: textOrNull },
    'SELECT state, outcome FROM runs WHERE name = ?',
    runName,
  )
  if (row === undefined) return 'unknown'
  return row.state === 'finished' && row.outcome === 'completed' ? 'completed' : 'other'
}

/** The next call plans anew: which of the runs are wanted may have changed. */
export function forgetPlan(journal: Journal): void {
  journal.run(`UPDATE experiment SET generation_hash = '', definition_hash = ''`)
}
