import { isConstant, meanOf, sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { type Estimate, unavailable } from '../estimate.ts'

export interface VarianceComponents {
  readonly grandMean: number
  readonly tasks: number
  readonly attempts: number
  /** Between attempts at one task: more attempts average it out. */
  readonly withinVariance: Estimate<number>
  readonly varianceOfTaskMeans: Estimate<number>
  /** Between tasks, without the attempts' share; at least 0. */
  readonly betweenVariance: Estimate<number>
  /** Of the mean of task means. Attempts are averaged first and never counted as tasks. */
  readonly standardError: Estimate<number>
  /** The share of a single attempt's variance that its task explains: ICC(1) of Shrout & Fleiss 1979. */
  readonly intraclassCorrelation: Estimate<number>
}

/**
 * Splits the variance of scores into that between tasks and that between attempts at a task, by the method of moments
 * (Searle, Casella & McCulloch 1992, "Variance components", ch. 4); tasks may have different numbers of attempts.
 */
export function varianceComponents(tasks: readonly (readonly number[])[]): Estimate<VarianceComponents> {
  if (tasks.length === 0) return unavailable('no_data')
  const reason = firstUnusable(tasks)
  if (reason !== undefined) return reason
  const means = tasks.map(meanOf)
  const attempts = tasks.reduce((count, task) => count + task.length, 0)
  const within = withinOf(tasks, attempts)
  const spread = tasks.length < 2 ? unavailable('one_cluster') : sumOfSquares(means) / (tasks.length - 1)
  const meanInverse = meanOf(tasks.map(task => 1 / task.length))
  const between = both(spread, within, (ofMeans, ofAttempts) => Math.max(0, ofMeans - ofAttempts * meanInverse))
  return {
    grandMean: meanOf(means),
    tasks: tasks.length,
    attempts,
    withinVariance: within,
    varianceOfTaskMeans: spread,
    betweenVariance: between,
    standardError: errorOf(means, spread),
    intraclassCorrelation: both(between, within, (ofTasks, ofAttempts) =>
      ofTasks + ofAttempts === 0 ? unavailable('zero_variance') : ofTasks / (ofTasks + ofAttempts),
    ),
  }
}

/** Pooled over tasks; with one attempt each it can't be estimated. */
function withinOf(tasks: readonly (readonly number[])[], attempts: number): Estimate<number> {
  if (attempts === tasks.length) return unavailable('too_few_values')
  return tasks.reduce((sum, task) => sum + sumOfSquares(task), 0) / (attempts - tasks.length)
}

function errorOf(means: readonly number[], spread: Estimate<number>): Estimate<number> {
  if (typeof spread !== 'number') return spread
  return isConstant(means) ? unavailable('zero_variance') : Math.sqrt(spread / means.length)
}

function both(
  first: Estimate<number>,
  second: Estimate<number>,
  combine: (first: number, second: number) => Estimate<number>,
): Estimate<number> {
  if (typeof first !== 'number') return first
  return typeof second === 'number' ? combine(first, second) : second
}
