import { emptyDistribution, type ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { roundingOf } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { unusable } from '../describe/usable.ts'
import { type Estimate, isAvailable, unavailable } from '../estimate.ts'
import { requireLevel } from '../tests/alternative.ts'
import { firstRelativeChangeBelow } from './relative-change.ts'

export interface BootstrapCv {
  readonly mean: number
  readonly low: number
  readonly high: number
}

export interface BootstrapCvCurve {
  /** For n = 1, 2, …: the coefficient of variation of n values drawn with replacement from all of them. */
  readonly points: readonly Estimate<BootstrapCv>[]
  /**
   * The first n whose mean, and whose width from low to high, differs from the previous one by less than the threshold.
   */
  readonly firstMeanChangeBelow: number | null
  readonly firstWidthChangeBelow: number | null
}

/**
 * The resampled form of the sequential rule. It answers 3 to 6 whatever the data are: the curve shows the bias of the
 * standard deviation of n values, not how many runs are needed. Kept for comparison with published analyses.
 */
export function bootstrapCvCurve(
  values: readonly number[],
  options: ResampleOptions & { readonly level?: number; readonly threshold?: number },
): BootstrapCvCurve {
  const { level = 0.95, threshold = 0.05 } = options
  requireLevel(level)
  const points = values.map((_, at) => pointOf(values, at + 1, level, options))
  return {
    points,
    firstMeanChangeBelow: firstRelativeChangeBelow(
      points.map(point => (isAvailable(point) ? point.mean : point)),
      threshold,
    ),
    firstWidthChangeBelow: firstRelativeChangeBelow(
      points.map(point => (isAvailable(point) ? point.high - point.low : point)),
      threshold,
    ),
  }
}

function pointOf(
  values: readonly number[],
  size: number,
  level: number,
  options: ResampleOptions,
): Estimate<BootstrapCv> {
  const reason = unusable(values, 2)
  if (reason !== undefined) return reason
  if (size < 2) return unavailable('too_few_values')
  const distribution = emptyDistribution(options)
  const sample = Float64Array.from(values)
  const chosen = new Int32Array(size)
  const rounding = roundingOf(values)
  for (let round = 0; round < distribution.length; round++) {
    options.random.fillBelow(values.length, chosen)
    const cv = cvOfChosen(sample, chosen, rounding)
    if (cv === undefined) return unavailable('zero_mean')
    distribution[round] = cv
  }
  const mean = distribution.reduce((sum, cv) => sum + cv, 0) / distribution.length
  distribution.sort()
  const miss = (1 - level) / 2
  return { mean, low: sortedQuantile(distribution, miss), high: sortedQuantile(distribution, 1 - miss) }
}

function cvOfChosen(sample: Float64Array, chosen: Int32Array, rounding: number): number | undefined {
  let sum = 0
  for (const at of chosen) sum += sample[at] ?? 0
  const centre = sum / chosen.length
  if (Math.abs(centre) <= rounding) return undefined
  let squares = 0
  for (const at of chosen) squares += ((sample[at] ?? 0) - centre) ** 2
  return Math.sqrt(squares / (chosen.length - 1)) / Math.abs(centre)
}
