import { sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { fisherFQuantile } from '../distributions/fisher-f.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import { requireLevel } from '../tests/alternative.ts'

export interface IntraclassCorrelation {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

/**
 * The similarity of attempts at one task: ICC(1) from mean squares, with the F interval (Shrout & Fleiss 1979,
 * "Intraclass correlations", Psychol. Bull. 86:420). Needs the same number of attempts at every task. May be negative:
 * attempts less alike than by chance.
 */
export function intraclassCorrelation(
  tasks: readonly (readonly number[])[],
  level = 0.95,
): Estimate<IntraclassCorrelation> {
  requireLevel(level)
  const attempts = tasks[0]?.length ?? 0
  requireThat(
    tasks.every(task => task.length === attempts),
    'as many attempts at every task',
  )
  if (tasks.length === 0) return unavailable('no_data')
  const reason = firstUnusable(tasks, 2)
  if (reason !== undefined) return reason
  if (tasks.length === 1) return unavailable('one_cluster')
  const within = tasks.reduce((sum, task) => sum + sumOfSquares(task), 0)
  const between = sumOfSquares(tasks.flat()) - within
  const dfBetween = tasks.length - 1
  const dfWithin = tasks.length * (attempts - 1)
  if (within === 0) return unavailable('zero_variance')
  const f = between / dfBetween / (within / dfWithin)
  const icc = (ratio: number): number => (ratio - 1) / (ratio + attempts - 1)
  const tail = (1 - level) / 2
  return {
    estimate: icc(f),
    low: icc(f / fisherFQuantile(1 - tail, dfBetween, dfWithin)),
    high: icc(f / fisherFQuantile(tail, dfBetween, dfWithin)),
  }
}

/**
 * The factor by which the variance of a mean grows because values come in clusters of this size (Kish 1965, "Survey
 * sampling").
 */
export function designEffect(clusterSize: number, correlation: number): number {
  return 1 + (clusterSize - 1) * correlation
}

export function effectiveSize(size: number, clusterSize: number, correlation: number): number {
  return size / designEffect(clusterSize, correlation)
}
