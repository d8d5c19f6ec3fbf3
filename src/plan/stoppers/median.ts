import type { EarlyStop } from '../../define/experiment.ts'
import { bestOf, type Goal, lossesOf, reported, type Stopper } from '../stopper.ts'

type Median = Extract<EarlyStop, { type: 'median' }>

/**
 * The median rule of Golovin et al., Google Vizier (KDD 2017): a run is stopped when its best value so far is worse than
 * the median of the means that complete runs had up to the same iteration.
 */
export function median({ min_iter, min_runs }: Median, goal: Goal, what = 'runs'): Stopper {
  return (running, all) => {
    const complete = all.filter(({ isComplete }) => isComplete).map(series => lossesOf(series, goal))
    if (complete.length < min_runs) return []
    return running.flatMap(series => {
      const iterations = series.values.length
      if (iterations < min_iter || iterations === 0) return []
      const means = complete.filter(({ length }) => length > 0).map(losses => meanOf(losses.slice(0, iterations)))
      if (means.length < min_runs) return []
      const middle = medianOf(means)
      const best = bestOf(lossesOf(series, goal))
      if (best <= middle) return []
      const facts = `best ${reported(best, goal)} against ${reported(middle, goal)}`
      const others = `the median of ${means.length} complete ${what}' means up to there`
      return [{ run: series.run.name, reason: `median, iteration ${iterations}: ${facts}, ${others}` }]
    })
  }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2
}
