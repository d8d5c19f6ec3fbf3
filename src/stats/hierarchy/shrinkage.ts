import { credibleInterval, posteriorOf, type Trials } from '../bayes/beta-binomial.ts'
import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, isAvailable, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { tInterval } from '../tests/means/t-inference.ts'
import { crossedComponents } from './crossed-components.ts'
import { varianceComponents } from './variance-components.ts'

/** The estimate for a task, using the distribution of all tasks. */
export interface Shrunk {
  /** Between the mean of its own attempts and the mean of all tasks, closer to the latter with fewer attempts. */
  readonly estimate: number
  readonly interval: Interval
  /** Further from the other tasks than one of this many would be by chance (at 5%, by Bonferroni). */
  readonly isOutlier: boolean
}

/**
 * Success rates of similar tasks: beta-binomial, the prior from the data (empirical Bayes, Efron & Morris 1975, JASA
 * 70:311). Its spread is the intraclass correlation by analysis of variance (Ridout, Demétrio & Firth 1999, Biometrics
 * 55:137). The intervals treat the prior as known: with few tasks they are somewhat short.
 */
export function shrinkRates(tasks: readonly Trials[], level = 0.95): Estimate<readonly Shrunk[]> {
  const all = tasks.reduce((sum, { trials }) => sum + trials, 0)
  if (tasks.length < 3 || all <= tasks.length || tasks.some(({ trials }) => trials < 1))
    return unavailable('too_few_values')
  const rate = tasks.reduce((sum, { successes }) => sum + successes, 0) / all
  if (rate === 0 || rate === 1) return unavailable('one_category')
  const size = (all - tasks.reduce((sum, { trials }) => sum + trials * trials, 0) / all) / (tasks.length - 1)
  let [between, within] = [0, 0]
  for (const { successes, trials } of tasks) {
    between += (trials * (successes / trials - rate) ** 2) / (tasks.length - 1)
    within += (successes * (1 - successes / trials)) / (all - tasks.length)
  }
  const raw = (between - within) / (between + (size - 1) * within)
  // A prior worth between a tenth of an attempt and all of them: beyond, the data give no more information.
  const worth = Math.min(all, Math.max(0.1, (1 - raw) / Math.max(raw, 1e-9)))
  const prior = { a: rate * worth, b: (1 - rate) * worth }
  const correlation = 1 / (1 + worth)
  return tasks.map(task => {
    const { a, b } = posteriorOf(task, prior)
    const spread = (rate * (1 - rate) * (1 + (task.trials - 1) * correlation)) / task.trials
    return {
      estimate: a / (a + b),
      interval: credibleInterval({ a, b }, level),
      isOutlier: isFar((task.successes / task.trials - rate) / Math.sqrt(spread), tasks.length),
    }
  })
}

/**
 * The same for numbers: normal within and between tasks, with the variances of analysis of variance; the interval
 * accounts for the uncertainty of mean and variances (Morris 1983, JASA 78:47).
 */
export function shrinkMeans(tasks: readonly (readonly number[])[], level = 0.95): Estimate<readonly Shrunk[]> {
  if (tasks.length < 4) return unavailable('too_few_values')
  return whenAvailable(varianceComponents(tasks), found => {
    const { withinVariance: within, betweenVariance: between, grandMean, attempts } = found
    if (!isAvailable(within)) return within
    if (!isAvailable(between)) return between
    if (within === 0) return unavailable('zero_variance')
    const centre = { mean: grandMean, variance: (between + within / (attempts / tasks.length)) / tasks.length }
    return tasks.map(values => {
      const own = { mean: meanOf(values), variance: within / values.length }
      return {
        ...drawn(own, { centre, between, count: tasks.length, freedom: attempts - tasks.length, level }),
        isOutlier: isFar((own.mean - grandMean) / Math.sqrt(between + own.variance), tasks.length),
      }
    })
  })
}

/**
 * The same for systems that all ran the same tasks: `scores[system][task]` are attempts. The difficulty of a task
 * cancels; a system's mean is shrunk towards that of all, more with fewer attempts. For these tasks: others may be
 * harder.
 */
export function shrinkSystems(
  scores: readonly (readonly (readonly number[])[])[],
  level = 0.95,
): Estimate<readonly Omit<Shrunk, 'isOutlier'>[]> {
  const tasks = scores[0]?.length ?? 0
  requireThat(
    scores.every(row => row.length === tasks),
    'the same tasks for every system',
  )
  if (scores.length < 4 || tasks < 2) return unavailable('too_few_values')
  return whenAvailable(crossedComponents(scores), found => {
    const attempt = isAvailable(found.attempt) ? found.attempt : 0
    const own = scores.map(row => ({
      mean: meanOf(row.map(meanOf)),
      variance: (found.taskBySeed + attempt * meanOf(row.map(({ length }) => 1 / length))) / tasks,
    }))
    const noise = meanOf(own.map(({ variance }) => variance))
    if (noise === 0) return unavailable('zero_variance')
    const spread = sumOfSquares(own.map(({ mean }) => mean)) / (scores.length - 1)
    const between = Math.max(0, spread - noise)
    const centre = { mean: found.grandMean, variance: (between + noise) / scores.length }
    const freedom = (scores.length - 1) * (tasks - 1)
    return own.map(one => drawn(one, { centre, between, count: scores.length, freedom, level }))
  })
}

interface Measured {
  readonly mean: number
  /** Of the mean: how far it is from the truth. */
  readonly variance: number
}

interface Alike {
  readonly centre: Measured
  /** Between the true values. */
  readonly between: number
  readonly count: number
  /** Degrees of freedom of the variances of measured means. */
  readonly freedom: number
  readonly level: number
}

function drawn({ mean, variance }: Measured, { centre, between, count, freedom, level }: Alike) {
  // Both variances are estimates: shrinks a little less, with a term for their uncertainty.
  const share = ((count - 3) / (count - 1)) * (variance / (between + variance))
  const apart = mean - centre.mean
  const estimate = mean - share * apart
  const doubt = (2 / (count - 3)) * share * share * apart * apart
  const error = Math.sqrt((1 - share) * variance + share * share * centre.variance + doubt)
  return { estimate, interval: tInterval(estimate, error, freedom, level) }
}

const isFar = (deviate: number, tasks: number): boolean => Math.abs(deviate) > normalQuantile(1 - 0.025 / tasks)
