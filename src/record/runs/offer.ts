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

/** Takes the right to plan, if no live process has it. The planning itself happens outside any transaction. */
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
  /** The last settled run that the planner knows. */
  readonly seen: number
}

/**
 * Writes a window of proposals and the planner's state, and releases the lease, in one transaction: after a crash in
 * between, the same proposals are made again. An existing run that is known to be wanted stays as it is. Returns how
 * many are new; null if another process has started another plan meanwhile.
 */
export function offerRuns(journal: Journal, offer: Offer): number | null {
  const taken = takenIn.get(journal) ?? new TakenNumbers(journal)
  // Numbers taken for a window that is not written become free again.
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

/** Kept between windows: reading all runs again would take longer with every window. */
const takenIn = new WeakMap<Journal, TakenNumbers>()

function nextPosition(journal: Journal): number {
  const row = journal.get({ next: number }, 'SELECT coalesce(max(id), 0) + 1 AS next FROM runs')
  return row?.next ?? 1
}

/** The runs wanted from now on, if they differ from those of the last call. */
export interface Generation {
  readonly hash: string
  readonly options: PlannerOptions
  readonly planned: number | null
  readonly plannerState: Json
  /** The existing runs that are still wanted, in the new order: see {@link stillWanted}. */
  readonly wanted: readonly number[]
}

/** The runs that analysis covers from now on: those of the definition, whether or not this call selected them. */
export interface DefinitionRuns {
  readonly hash: string
  /** Their total number; null: it depends on results. */
  readonly planned: number | null
  /** The existing ones. */
  readonly ids: readonly number[]
}

/**
 * Which runs of the journal are among the planned ones, in the plan's order. Walks the plan, but no further than
 * necessary, and keeps only existing runs in memory: a million planned runs cost none. Not for use inside a
 * transaction.
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

/** Runs that are no longer in the definition stay in the journal, and count again once they are. */
export function setDefinitionRuns(journal: Journal, { hash, planned, ids }: DefinitionRuns): void {
  journal.transaction(() => {
    journal.run('UPDATE experiment SET definition_hash = ?, definition_planned = ?', hash, planned)
    // Only changed rows are written: none if the definition only grew.
    const list = JSON.stringify(ids)
    const isListed = 'id IN (SELECT value FROM json_each(?))'
    journal.run(`UPDATE runs SET in_definition = 1 WHERE in_definition = 0 AND ${isListed}`, list)
    journal.run(`UPDATE runs SET in_definition = 0 WHERE in_definition = 1 AND NOT ${isListed}`, list)
  })
}

/** The seeds of runs that analysis covers. Some may be in no definition: a call requested them with `--seeds`. */
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
 * The runs of the journal that a search still counts as its own, in the order of their first proposal. Runs that were
 * proposed and never begun are not included: they are proposed again if there is room for them.
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
 * Starts a new generation: existing runs that are still wanted move into it, in the new order; the others stay in the
 * journal, outside the plan. A run that a worker offers meanwhile is found when the plan reaches it.
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
    // Existing runs have negative positions: they come before anything offered later.
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
 * Gives each run its permanent name. A plan numbers variants and runs by their position, which changes when levels are
 * added; the journal does not: an existing run keeps its name and a variant its number, and new ones take the number of
 * their position if it is free, otherwise the next one after all others. Create one inside each transaction that writes
 * names.
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

/** A name is assigned once: refuses a plan in which a name would move from its run to another. */
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

/** What the journal knows of a run whose folder is examined: completed runs are not examined again. */
export function recordOf(journal: Journal, runName: string): 'completed' | 'other' | 'unknown' {
  const row = journal.get(
    { state: text, outcome: textOrNull },
    'SELECT state, outcome FROM runs WHERE name = ?',
    runName,
  )
  if (row === undefined) return 'unknown'
  return row.state === 'finished' && row.outcome === 'completed' ? 'completed' : 'other'
}

/** Makes the next call plan again: the set of wanted runs may have changed. */
export function forgetPlan(journal: Journal): void {
  journal.run(`UPDATE experiment SET generation_hash = '', definition_hash = ''`)
}
