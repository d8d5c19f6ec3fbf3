import { emptyDistribution, type ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { simultaneousIntervals } from '../bootstrap/simultaneous-intervals.ts'
import { isConstant, meanOf } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { firstUnusable } from '../describe/usable.ts'
import { type Estimate, isAvailable, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import { requireLevel } from '../tests/alternative.ts'

export interface RankedSystem {
  readonly mean: number
  /** 1 is best; equal means share the mean of their ranks. */
  readonly rank: number
  /** How often it came first in the resamples; ties share. */
  readonly probabilityBest: number
  readonly lowRank: number
  readonly highRank: number
  /** Whether it is indistinguishable from the best: its joint interval of the difference from the best contains 0. */
  readonly isTiedWithBest: boolean
}

export interface RankOptions extends ResampleOptions {
  readonly goal?: 'maximize' | 'minimize'
  readonly level?: number
}

/**
 * Ranks systems measured on the same blocks (tasks, seeds): `scores[system][block]`. Blocks are drawn jointly, so a
 * block's difficulty for all cancels. The tied set compares all with the observed best, jointly (max-T); since the best
 * is chosen from the data, it is too small if many are close.
 */
export function rankSystems(
  scores: readonly (readonly number[])[],
  options: RankOptions,
): Estimate<readonly RankedSystem[]> {
  const { goal = 'maximize', level = 0.95 } = options
  requireLevel(level)
  const blocks = scores[0]?.length ?? 0
  requireThat(
    scores.every(values => values.length === blocks),
    'a score of every system for every block',
  )
  if (scores.length === 0) return unavailable('no_data')
  const reason = firstUnusable(scores, 2)
  if (reason !== undefined) return reason
  const signed = scores.map(values => Float64Array.from(values, value => (goal === 'maximize' ? value : -value)))
  const { ranks, best } = resampledRanks(signed, options)
  const means = signed.map(values => meanOf([...values]))
  const observed = ranksOf(means)
  const tied = tiedWithBest(signed, means, options)
  const miss = (1 - level) / 2
  return whenAvailable(tied, isTied =>
    scores.map((values, system) => {
      const sorted = ranks[system]?.sort() ?? new Float64Array(0)
      return {
        mean: meanOf(values),
        rank: observed[system] ?? Number.NaN,
        probabilityBest: (best[system] ?? 0) / sorted.length,
        lowRank: sortedQuantile(sorted, miss),
        highRank: sortedQuantile(sorted, 1 - miss),
        isTiedWithBest: isTied[system] ?? false,
      }
    }),
  )
}

function resampledRanks(scores: readonly Float64Array[], options: ResampleOptions) {
  const ranks = scores.map(() => emptyDistribution(options))
  const best = new Float64Array(scores.length)
  const chosen = new Int32Array(scores[0]?.length ?? 0)
  const rounds = ranks[0]?.length ?? 0
  for (let round = 0; round < rounds; round++) {
    options.random.fillBelow(chosen.length, chosen)
    const drawn = ranksOf(scores.map(values => sumOfChosen(values, chosen)))
    const first = Math.min(...drawn)
    const share = 1 / drawn.filter(rank => rank === first).length
    drawn.forEach((rank, system) => {
      const list = ranks[system]
      if (list !== undefined) list[round] = rank
      if (rank === first) best[system] = (best[system] ?? 0) + share
    })
  }
  return { ranks, best }
}

function sumOfChosen(values: Float64Array, chosen: Int32Array): number {
  let sum = 0
  for (let at = 0; at < chosen.length; at++) sum += values[chosen[at] ?? 0] ?? 0
  return sum
}

/** Ranks from the largest down. */
function ranksOf(values: readonly number[]): number[] {
  return values.map(value => {
    const above = values.filter(other => other > value).length
    const equal = values.filter(other => other === value).length
    return above + (equal + 1) / 2
  })
}

function tiedWithBest(
  scores: readonly Float64Array[],
  means: readonly number[],
  options: RankOptions,
): Estimate<readonly boolean[]> {
  const best = means.indexOf(Math.max(...means))
  const contrasts = scores.map(values => Array.from(values, (value, block) => (scores[best]?.[block] ?? 0) - value))
  // Always behind by the same amount, or never: nothing to resample, and no uncertainty.
  const fixed = contrasts.map(values => (isConstant(values) ? Math.abs(meanOf(values)) < 1e-12 : undefined))
  if (fixed.every(tie => tie !== undefined)) return fixed.map(tie => tie === true)
  return whenAvailable(simultaneousIntervals(contrasts, options), ({ intervals }) =>
    intervals.map((interval, system) => fixed[system] ?? (isAvailable(interval) && interval.low <= 0)),
  )
}
