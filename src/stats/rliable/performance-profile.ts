import { emptyDistribution, type ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { meanOf } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { type Estimate, isAvailable, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'
import { type ScoreTable, taskScores } from './score-table.ts'

export interface PerformanceProfile {
  readonly thresholds: readonly number[]
  /** The share of runs whose score is above each threshold, with equal weight for every task. */
  readonly ofRuns: readonly number[]
  /** The share of tasks whose mean score is above each threshold. */
  readonly ofTasks: readonly number[]
}

/** Run-score and average-score distributions (Dolan & Moré 2002; Agarwal et al. 2021, §4.2), with a strict "above". */
export function performanceProfile(table: ScoreTable, thresholds: readonly number[]): Estimate<PerformanceProfile> {
  return whenAvailable(taskScores(table), ({ tasks }) => {
    const means = tasks.map(meanOf)
    return {
      thresholds,
      ofRuns: thresholds.map(threshold => meanOf(tasks.map(task => shareAbove(task, threshold)))),
      ofTasks: thresholds.map(threshold => shareAbove(means, threshold)),
    }
  })
}

export interface ProfileBand {
  readonly pointwise: readonly Interval[]
  /** Valid for the whole profile: everywhere as wide as the largest deviation of a resample. */
  readonly simultaneous: readonly Interval[]
}

/** Bands around the share of runs above each threshold: runs are drawn within each task. */
export function performanceProfileBand(
  table: ScoreTable,
  thresholds: readonly number[],
  options: ResampleOptions & { readonly level?: number },
): Estimate<ProfileBand> {
  const { level = 0.95, random } = options
  requireLevel(level)
  const profile = performanceProfile(table, thresholds)
  const scores = taskScores(table)
  if (!isAvailable(profile)) return profile
  if (!isAvailable(scores)) return scores
  if (scores.tasks.every(task => task.length === 1)) return unavailable('too_few_values')
  const largest = emptyDistribution(options)
  const columns = thresholds.map(() => new Float64Array(largest.length))
  for (let round = 0; round < largest.length; round++) {
    const drawn = scores.tasks.map(task => task.map(() => task[random.below(task.length)] ?? 0))
    thresholds.forEach((threshold, at) => {
      const share = meanOf(drawn.map(task => shareAbove(task, threshold)))
      const column = columns[at]
      if (column !== undefined) column[round] = share
      largest[round] = Math.max(largest[round] ?? 0, Math.abs(share - (profile.ofRuns[at] ?? 0)))
    })
  }
  const reach = sortedQuantile(largest.sort(), level)
  const miss = (1 - level) / 2
  return {
    pointwise: columns.map(column => {
      column.sort()
      return { level, low: sortedQuantile(column, miss), high: sortedQuantile(column, 1 - miss) }
    }),
    simultaneous: profile.ofRuns.map(share => ({
      level,
      low: Math.max(0, share - reach),
      high: Math.min(1, share + reach),
    })),
  }
}

function shareAbove(values: readonly number[], threshold: number): number {
  let above = 0
  for (const value of values) if (value > threshold) above++
  return above / values.length
}
