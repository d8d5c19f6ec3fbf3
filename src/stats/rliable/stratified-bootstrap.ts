import { emptyDistribution, type Resampled, type ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { isConstant } from '../describe/moments.ts'
import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import type { Aggregate } from './aggregate.ts'
import { type ScoreTable, taskScores } from './score-table.ts'

export interface StratifiedOptions extends ResampleOptions {
  /** Also resamples the tasks: for a claim about tasks like these rather than about these tasks. */
  readonly resampleTasks?: boolean
}

/**
 * Resamples runs within each task, each task separately (Agarwal et al. 2021, §4.1). Tasks may have different numbers
 * of runs; a task with a single run stays as it is, so at least one must have more. Intervals from it are percentile
 * intervals.
 */
export function resampleScores(
  table: ScoreTable,
  aggregate: Aggregate,
  options: StratifiedOptions,
): Estimate<Resampled> {
  return whenAvailable(taskScores(table), ({ tasks }) => {
    const reason = unvaried(tasks, options)
    if (reason !== undefined) return reason
    const scores = tasks.map(task => Float64Array.from(task))
    const draw = drawer(scores, options)
    const distribution = emptyDistribution(options)
    for (let round = 0; round < distribution.length; round++) distribution[round] = aggregate(draw())
    return { estimate: aggregate(scores), distribution, jackknife: leaveOneOut(scores, aggregate) }
  })
}

/** The difference of an aggregate between two sets of runs on the same tasks, each resampled separately. */
export function resampleScoreDifference(
  candidate: ScoreTable,
  control: ScoreTable,
  aggregate: Aggregate,
  options: ResampleOptions,
): Estimate<Resampled> {
  requireThat(candidate[0]?.length === control[0]?.length, 'the same tasks in both tables')
  return whenAvailable(resampleScores(candidate, aggregate, options), first =>
    whenAvailable(resampleScores(control, aggregate, options), second => ({
      estimate: first.estimate - second.estimate,
      distribution: first.distribution.map((value, round) => value - (second.distribution[round] ?? 0)),
      jackknife: [
        ...first.jackknife.map(list => Array.from(list, value => value - second.estimate)),
        ...second.jackknife.map(list => Array.from(list, value => first.estimate - value)),
      ],
    })),
  )
}

function unvaried(tasks: readonly (readonly number[])[], { resampleTasks = false }: StratifiedOptions) {
  if (resampleTasks && tasks.length > 1) return isConstant(tasks.flat()) ? unavailable('zero_variance') : undefined
  if (tasks.every(task => task.length === 1)) return unavailable('too_few_values')
  return tasks.every(task => isConstant(task)) ? unavailable('zero_variance') : undefined
}

/** Each call returns the next resample, in arrays that the next call overwrites. */
function drawer(tasks: readonly Float64Array[], options: StratifiedOptions): () => readonly Float64Array[] {
  const { random, resampleTasks = false } = options
  const resampled = tasks.map(task => new Float64Array(task.length))
  const chosen = tasks.map(task => new Int32Array(task.length))
  const redraw = (task: number, into: Float64Array): void => {
    const scores = tasks[task]
    const places = chosen[task]
    if (scores === undefined || places === undefined) return
    random.fillBelow(scores.length, places)
    for (let at = 0; at < places.length; at++) into[at] = scores[places[at] ?? 0] ?? 0
  }
  if (!resampleTasks)
    return () => {
      resampled.forEach((into, task) => {
        redraw(task, into)
      })
      return resampled
    }
  return () =>
    tasks.map(() => {
      const task = random.below(tasks.length)
      const into = new Float64Array(tasks[task]?.length ?? 0)
      redraw(task, into)
      return into
    })
}

function leaveOneOut(tasks: readonly Float64Array[], aggregate: Aggregate): Float64Array[] {
  return tasks
    .filter(task => task.length > 1)
    .map(task =>
      task.map((_, out) => {
        const rest = task.filter((_, at) => at !== out)
        return aggregate(tasks.map(other => (other === task ? rest : other)))
      }),
    )
}
