import { unusable } from '../describe/usable.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'

/** Normalised scores, a row for each run and a column for each task; null where a run has no score for a task. */
export type ScoreTable = readonly (readonly (number | null)[])[]

/** The scores of each task, whatever their number. */
export interface TaskScores {
  readonly tasks: readonly (readonly number[])[]
  /** Cells without a score. They are left out, never counted as 0. */
  readonly missing: number
  /** Columns without any score: those tasks are in no aggregate. */
  readonly emptyTasks: readonly number[]
}

export function taskScores(table: ScoreTable): Estimate<TaskScores> {
  const width = Math.max(0, ...table.map(row => row.length))
  requireThat(
    table.every(row => row.length === width),
    'a cell for every task in every run, null where there is no score',
  )
  const columns = Array.from({ length: width }, (_, task) =>
    table.flatMap(row => {
      const score = row[task]
      return score === null || score === undefined ? [] : [score]
    }),
  )
  const tasks = columns.filter(column => column.length > 0)
  const scores = tasks.flat()
  if (scores.length === 0) return unavailable('no_data')
  return (
    unusable(scores) ?? {
      tasks,
      missing: table.length * width - scores.length,
      emptyTasks: columns.flatMap((column, task) => (column.length === 0 ? [task] : [])),
    }
  )
}
