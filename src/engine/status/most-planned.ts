import { plannerFor } from '../../plan/planners/registry.ts'
import { definitionOf, type ExperimentRow, planOptionsOf } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'

/** Where only the future can tell how many runs there will be: how many at most; null where that is known, or nothing limits them. */
export function mostPlanned(journal: Journal, row: ExperimentRow): number | null {
  if (row.planned !== null) return null
  return plannerFor(definitionOf(journal, row), planOptionsOf(row)).most?.() ?? null
}
