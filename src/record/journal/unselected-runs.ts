import type { SQLInputValue } from 'node:sqlite'
import { storedExperiment } from '../../define/stored/stored-experiment.ts'
import { plannerFor } from '../../plan/plan.ts'
import { everything, isEverything, plannedRuns } from '../../plan/planner.ts'
import { type Columns, number, type RowOf, text } from './columns.ts'
import { planOptionsIn } from './stored.ts'

/** The parts of a journal that an upgrade needs. */
export interface OldJournal {
  readonly file: string
  all<Of extends Columns>(columns: Of, sql: string, ...values: readonly SQLInputValue[]): RowOf<Of>[]
  get<Of extends Columns>(columns: Of, sql: string, ...values: readonly SQLInputValue[]): RowOf<Of> | undefined
  run(sql: string, ...values: readonly SQLInputValue[]): number
}

/**
 * For a journal of version 3, which only knew the runs that its last call selected: finds the other runs of the
 * definition. If the definition can't be planned any more, the selected runs are all that is known.
 */
export function findUnselectedRuns(journal: OldJournal): void {
  const row = journal.get(
    { text, plan_options: text },
    'SELECT d.text, e.plan_options FROM experiment e JOIN definitions d ON d.id = e.definition',
  )
  if (row === undefined) return
  try {
    const { order, seed, selection } = planOptionsIn(row.plan_options, journal)
    if (isEverything(selection)) return
    const experiment = storedExperiment(row.text, 1, 'the definition')
    const planner = plannerFor(experiment, { order, seed, selection: everything })
    const planned = planner.count()
    // A search counts the runs that it proposed as its own, and those were selected.
    const ids = planner.keeps === undefined ? idsOf(journal, plannedRuns(planner)) : []
    for (const id of ids) journal.run('UPDATE runs SET in_definition = 1 WHERE id = ?', id)
    journal.run('UPDATE experiment SET definition_planned = ?', planned)
  } catch {
    // Nothing is planned yet, or the next `run` plans the definition again and reports what is wrong with it.
  }
}

function idsOf(journal: OldJournal, planned: Iterable<{ readonly key: string }>): readonly number[] {
  const left = new Map(journal.all({ key: text, id: number }, 'SELECT key, id FROM runs').map(r => [r.key, r.id]))
  const ids: number[] = []
  for (const { key } of planned) {
    const id = left.get(key)
    if (id !== undefined) ids.push(id)
    if (ids.length === left.size) break
  }
  return ids
}
