import { type Estimate, whenAvailable } from '../estimate.ts'
import { fractionalInterquartileMean, interquartileMean, meanScore, medianScore, optimalityGap } from './aggregate.ts'
import { type ScoreTable, taskScores } from './score-table.ts'

export interface AggregateScores {
  readonly mean: number
  readonly median: number
  readonly interquartileMean: number
  readonly fractionalInterquartileMean: number
  readonly optimalityGap: number
  readonly tasks: number
  readonly missing: number
  readonly emptyTasks: readonly number[]
}

/** All aggregates of a table of scores at once. */
export function aggregateScores(
  table: ScoreTable,
  { gamma = 1 }: { readonly gamma?: number } = {},
): Estimate<AggregateScores> {
  return whenAvailable(taskScores(table), ({ tasks, missing, emptyTasks }) => {
    const scores = tasks.map(task => Float64Array.from(task))
    return {
      mean: meanScore(scores),
      median: medianScore(scores),
      interquartileMean: interquartileMean(scores),
      fractionalInterquartileMean: fractionalInterquartileMean(scores),
      optimalityGap: optimalityGap(gamma)(scores),
      tasks: tasks.length,
      missing,
      emptyTasks,
    }
  })
}
