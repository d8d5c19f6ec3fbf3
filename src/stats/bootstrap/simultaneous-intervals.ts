import { isConstant, meanOf } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { firstUnusable } from '../describe/usable.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'
import { emptyDistribution, type ResampleOptions } from './resample/resampled.ts'

export interface SimultaneousInterval extends Interval {
  readonly estimate: number
  readonly standardError: number
  /** Adjusted for all the comparisons together; never 0. */
  readonly p: number
}

export interface SimultaneousIntervals {
  /** Estimate ± this many standard errors covers all true values at once. */
  readonly criticalValue: number
  readonly intervals: readonly Estimate<SimultaneousInterval>[]
  /** Resamples in which some contrast had no spread, and so no t. */
  readonly dropped: number
}

/**
 * Intervals that hold together: the probability that any of them misses is at most 1 − level. Each contrast is a list
 * of paired differences over the same units; units are drawn jointly, so correlated contrasts cost less than with
 * Bonferroni. Single-step max-T (Westfall & Young 1993, "Resampling-based multiple testing"; Romano & Wolf 2005).
 */
export function simultaneousIntervals(
  contrasts: readonly (readonly number[])[],
  options: ResampleOptions & { readonly level?: number },
): Estimate<SimultaneousIntervals> {
  const { level = 0.95 } = options
  requireLevel(level)
  const units = contrasts[0]?.length ?? 0
  requireThat(
    contrasts.every(values => values.length === units),
    'contrasts over the same units, so as many values in each',
  )
  if (contrasts.length === 0) return unavailable('no_data')
  const reason = firstUnusable(contrasts, 2)
  if (reason !== undefined) return reason
  const live = contrasts.filter(values => !isConstant(values))
  if (live.length === 0) return unavailable('zero_variance')
  const { largest, dropped } = largestRatios(live, options)
  if (largest.length === 0) return unavailable('zero_variance')
  const criticalValue = sortedQuantile(largest, level)
  return {
    criticalValue,
    intervals: contrasts.map(values =>
      isConstant(values)
        ? unavailable('zero_variance')
        : jointInterval(momentsOf(values), level, criticalValue, largest),
    ),
    dropped,
  }
}

/** The interval and the p of one estimate among several, from the largest |t| of each resample in increasing order. */
export function jointInterval(
  { estimate, standardError }: Moments,
  level: number,
  criticalValue: number,
  largest: Float64Array,
): SimultaneousInterval {
  const t = Math.abs(estimate / standardError)
  const asLarge = largest.reduce((count, ratio) => count + (ratio >= t ? 1 : 0), 0)
  return {
    estimate,
    standardError,
    level,
    low: estimate - criticalValue * standardError,
    high: estimate + criticalValue * standardError,
    p: (asLarge + 1) / (largest.length + 1),
  }
}

/** The largest |t| over the contrasts in each resample, in increasing order. */
function largestRatios(contrasts: readonly (readonly number[])[], options: ResampleOptions) {
  const size = contrasts[0]?.length ?? 0
  const moments = contrasts.map(momentsOf)
  const centred = contrasts.map((values, at) =>
    Float64Array.from(values, value => value - (moments[at]?.estimate ?? 0)),
  )
  const largest = emptyDistribution(options)
  const chosen = new Int32Array(size)
  let kept = 0
  for (let round = 0; round < largest.length; round++) {
    options.random.fillBelow(size, chosen)
    let most = 0
    for (let contrast = 0; contrast < centred.length && most >= 0; contrast++) {
      const ratio = absoluteRatio(centred[contrast], chosen, moments[contrast]?.standardError ?? 0)
      most = ratio === undefined ? -1 : Math.max(most, ratio)
    }
    if (most >= 0) largest[kept++] = most
  }
  return { largest: largest.slice(0, kept).sort(), dropped: largest.length - kept }
}

function absoluteRatio(
  centred: Float64Array | undefined,
  chosen: Int32Array,
  standardError: number,
): number | undefined {
  if (centred === undefined) return undefined
  let sum = 0
  let squares = 0
  for (let at = 0; at < chosen.length; at++) {
    const value = centred[chosen[at] ?? 0] ?? 0
    sum += value
    squares += value * value
  }
  const size = chosen.length
  const error = Math.sqrt(Math.max(0, squares - (sum * sum) / size) / (size - 1) / size)
  return error > 1e-9 * standardError ? Math.abs(sum / size) / error : undefined
}

interface Moments {
  readonly estimate: number
  readonly standardError: number
}

function momentsOf(values: readonly number[]): Moments {
  const estimate = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - estimate) ** 2, 0)
  return { estimate, standardError: Math.sqrt(squares / (values.length - 1) / values.length) }
}
