import { isConstant } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { type Alternative, requireLevel } from '../tests/alternative.ts'
import { intervalAt } from './interval-at.ts'
import { emptyDistribution, type ResampleOptions, resamplable } from './resample/resampled.ts'
import { type DrawnGroup, tailOf } from './studentized-tail.ts'

/** Estimates of resamples, each with its own standard error. */
export interface Studentized {
  readonly estimate: number
  readonly standardError: number
  readonly estimates: ArrayLike<number>
  readonly standardErrors: ArrayLike<number>
  /** The resampled groups: the tail beyond the resamples follows from them. */
  readonly groups?: readonly DrawnGroup[]
}

export interface StudentizedInterval extends Interval {
  /** The quantiles of (estimate of the resample − estimate) / its standard error behind the bounds. */
  readonly tLow: number
  readonly tHigh: number
  /** The number used: resamples without spread have no t. With few values, many are left out. */
  readonly used: number
  readonly dropped: number
}

export interface StudentizedOptions {
  /** The smallest standard error used for a resample, as a share of the sample's own. */
  readonly leastError?: number
}

/**
 * Keeps a single outlier from making a bound arbitrarily large: a resample without it has almost no spread, and so a
 * huge t. With at least a tenth of the sample's standard error, intervals of 7 to 20 values contain the mean as often
 * as without this limit (within half a point, up to lognormal values of σ = 2), and end where the data does instead of
 * a hundred times further out.
 */
export const steadyError = 0.1

/**
 * The interval that estimates the distribution of t from the data (Efron & Tibshirani 1993, §12.5; Hall 1988 on why it
 * is more accurate than the percentile). Of the bootstrap intervals, the most reliable for 5 to 30 values.
 */
export function studentizedInterval(
  found: Studentized,
  {
    level = 0.95,
    alternative = 'two-sided',
    leastError = 0,
  }: StudentizedOptions & { readonly level?: number; readonly alternative?: Alternative } = {},
): Estimate<StudentizedInterval> {
  requireLevel(level)
  const { estimate, standardError, estimates } = found
  if (standardError === 0) return unavailable('zero_variance')
  const ratios = resampledTs(found, leastError)
  if (ratios.length === 0) return unavailable('zero_variance')
  const sorted = Float64Array.from(ratios).sort()
  const quantile = (share: number): number => quantileOf(sorted, share, leastError, found.groups)
  const t = intervalAt(level, 'two-sided', quantile)
  const bounds = intervalAt(level, alternative, share => estimate - standardError * quantile(1 - share))
  return { ...bounds, tLow: t.low, tHigh: t.high, used: ratios.length, dropped: estimates.length - ratios.length }
}

/** If fewer resamples than this lie beyond a quantile, their number is chance. */
const fewestBeyond = 1.5

/** Beyond the reach of resamples, the tail is bounded from the resampled values. */
function quantileOf(
  sorted: Float64Array,
  share: number,
  leastError: number,
  groups: readonly DrawnGroup[] | undefined,
): number {
  const counted = sortedQuantile(sorted, share)
  const tail = Math.min(share, 1 - share)
  if (groups === undefined || tail * sorted.length >= fewestBeyond) return counted
  const sign = share < 0.5 ? -1 : 1
  const turned = groups.map(({ values, factor }) => ({ values, factor: sign * factor }))
  const { line } = tailOf(turned, leastError)
  return sign * Math.max(sign * counted, line(tail))
}

/** The distance of each resample from the estimate, in its own standard errors. */
export function resampledTs(
  { estimate, standardError, estimates, standardErrors }: Studentized,
  leastError: number,
): readonly number[] {
  const ts: number[] = []
  for (let round = 0; round < estimates.length; round++) {
    const error = standardErrors[round] ?? 0
    // A rounding error of a resample made of one repeated value.
    if (error <= 1e-6 * standardError) continue
    ts.push(((estimates[round] ?? 0) - estimate) / Math.max(error, leastError * standardError))
  }
  return ts
}

/** Of the mean; for pairs, give the differences. */
export function studentizeMean(values: readonly number[], options: ResampleOptions): Estimate<Studentized> {
  return whenAvailable(resamplable(values), sample => {
    if (isConstant(values)) return unavailable('zero_variance')
    const { estimate, squaredError, estimates, squaredErrors } = withSquaredErrors(sample, options)
    return {
      estimate,
      standardError: Math.sqrt(squaredError),
      estimates,
      standardErrors: squaredErrors.map(Math.sqrt),
      groups: [{ values, factor: 1 }],
    }
  })
}

/** For the difference of two means, with each arm resampled separately and with its own spread. */
export function studentizeDifference(
  candidate: readonly number[],
  control: readonly number[],
  options: ResampleOptions,
): Estimate<Studentized> {
  return whenAvailable(resamplable(candidate), first =>
    whenAvailable(resamplable(control), second => {
      if (isConstant(candidate) && isConstant(control)) return unavailable('zero_variance')
      const one = withSquaredErrors(first, options)
      const other = withSquaredErrors(second, options)
      return {
        estimate: one.estimate - other.estimate,
        standardError: Math.sqrt(one.squaredError + other.squaredError),
        estimates: one.estimates.map((estimate, round) => estimate - (other.estimates[round] ?? 0)),
        standardErrors: one.squaredErrors.map((error, round) => Math.sqrt(error + (other.squaredErrors[round] ?? 0))),
        groups: [
          { values: candidate, factor: 1 },
          { values: control, factor: -1 },
        ],
      }
    }),
  )
}

function withSquaredErrors(sample: Float64Array, options: ResampleOptions) {
  const size = sample.length
  const estimate = sample.reduce((sum, value) => sum + value, 0) / size
  // Centred once, so that the squares of a resample lose no precision to a common offset.
  const centred = sample.map(value => value - estimate)
  const estimates = emptyDistribution(options)
  const squaredErrors = new Float64Array(estimates.length)
  const chosen = new Int32Array(size)
  for (let round = 0; round < estimates.length; round++) {
    options.random.fillBelow(size, chosen)
    let sum = 0
    let squares = 0
    for (let at = 0; at < size; at++) {
      const value = centred[chosen[at] ?? 0] ?? 0
      sum += value
      squares += value * value
    }
    estimates[round] = estimate + sum / size
    squaredErrors[round] = Math.max(0, squares - (sum * sum) / size) / (size - 1) / size
  }
  const squaredError = centred.reduce((sum, value) => sum + value * value, 0) / (size - 1) / size
  return { estimate, squaredError, estimates, squaredErrors }
}
