import { isConstant, meanOf } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { firstUnusable } from '../describe/usable.ts'
import { type Estimate, unavailable } from '../estimate.ts'
import { requireLevel } from '../tests/alternative.ts'
import { emptyDistribution, type ResampleOptions } from './resample/resampled.ts'
import { jointInterval, type SimultaneousIntervals } from './simultaneous-intervals.ts'

/**
 * The same for independent groups that are all compared with one control: each group is drawn separately, the control
 * once for all of them, so that a low draw of the control makes all differences large together, as in the data
 * (single-step max-T; the bootstrap version of Dunnett 1955, JASA 50:1096).
 */
export function simultaneousDifferences(
  candidates: readonly (readonly number[])[],
  control: readonly number[],
  options: ResampleOptions & { readonly level?: number },
): Estimate<SimultaneousIntervals> {
  const { level = 0.95 } = options
  requireLevel(level)
  if (candidates.length === 0) return unavailable('no_data')
  const reason = firstUnusable([...candidates, control], 2)
  if (reason !== undefined) return reason
  const isFlat = candidates.map(values => isConstant(values) && isConstant(control))
  if (isFlat.every(Boolean)) return unavailable('zero_variance')
  const { largest, dropped } = largestRatios(
    candidates.filter((_, at) => !isFlat[at]),
    control,
    options,
  )
  if (largest.length === 0) return unavailable('zero_variance')
  const criticalValue = sortedQuantile(largest, level)
  const ofControl = spreadOf(control)
  return {
    criticalValue,
    intervals: candidates.map((values, at) => {
      if (isFlat[at]) return unavailable('zero_variance')
      const own = spreadOf(values)
      const estimate = own.mean - ofControl.mean
      const standardError = Math.sqrt(own.squaredError + ofControl.squaredError)
      return jointInterval({ estimate, standardError }, level, criticalValue, largest)
    }),
    dropped,
  }
}

/** The largest |t| over the candidates in each resample, in increasing order. */
function largestRatios(
  candidates: readonly (readonly number[])[],
  control: readonly number[],
  options: ResampleOptions,
): { readonly largest: Float64Array; readonly dropped: number } {
  const groups = [control, ...candidates].map(values => {
    const centre = meanOf(values)
    return { centred: Float64Array.from(values, value => value - centre), chosen: new Int32Array(values.length) }
  })
  const errors = candidates.map(values => Math.sqrt(spreadOf(values).squaredError + spreadOf(control).squaredError))
  const largest = emptyDistribution(options)
  let kept = 0
  for (let round = 0; round < largest.length; round++) {
    const [ofControl, ...ofCandidates] = groups.map(({ centred, chosen }) => {
      options.random.fillBelow(centred.length, chosen)
      return drawnSpread(centred, chosen)
    })
    let most = 0
    for (const [at, own] of ofCandidates.entries()) {
      const error = Math.sqrt(own.squaredError + (ofControl?.squaredError ?? 0))
      // A rounding error in resamples made of one repeated value gives no t.
      if (!(error > 1e-9 * (errors[at] ?? 0))) most = Number.NaN
      else most = Math.max(most, Math.abs(own.mean - (ofControl?.mean ?? 0)) / error)
    }
    if (!Number.isNaN(most)) largest[kept++] = most
  }
  return { largest: largest.slice(0, kept).sort(), dropped: largest.length - kept }
}

interface Spread {
  readonly mean: number
  readonly squaredError: number
}

function drawnSpread(centred: Float64Array, chosen: Int32Array): Spread {
  let sum = 0
  let squares = 0
  for (let at = 0; at < chosen.length; at++) {
    const value = centred[chosen[at] ?? 0] ?? 0
    sum += value
    squares += value * value
  }
  const size = chosen.length
  return { mean: sum / size, squaredError: Math.max(0, squares - (sum * sum) / size) / (size - 1) / size }
}

function spreadOf(values: readonly number[]): Spread {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, squaredError: squares / (values.length - 1) / values.length }
}
