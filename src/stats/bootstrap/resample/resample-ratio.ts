import { isConstant } from '../../describe/moments.ts'
import { type Estimate, requireThat, unavailable, whenAvailable } from '../../estimate.ts'
import { meansLeavingOneOut } from './leave-one-out.ts'
import { fillRatiosOfSums } from './ratios-of-sums.ts'
import { fillResampledMeans } from './resample-values.ts'
import { emptyDistribution, type Resampled, type ResampleOptions, resamplable } from './resampled.ts'

export interface RatioOptions extends ResampleOptions {
  /** Whether the i-th values of both are a pair (the same task) and are drawn together. */
  readonly paired: boolean
  /** `log-ratio` treats twice as much and half as much alike: right for times and costs. */
  readonly scale?: 'ratio' | 'log-ratio'
}

/** The mean of one quantity over the mean of another: cost per run against the control's, seconds per success, … */
export function resampleRatio(
  above: readonly number[],
  below: readonly number[],
  options: RatioOptions,
): Estimate<Resampled> {
  return whenAvailable(resamplable(above), top =>
    whenAvailable(resamplable(below), bottom => {
      if (isConstant(above) && isConstant(below)) return unavailable('zero_variance')
      const resampled = options.paired ? pairedRatio(top, bottom, options) : independentRatio(top, bottom, options)
      if (!isUsable(resampled, options.scale)) return unavailable(resampled.estimate > 0 ? 'unbounded' : 'not_positive')
      return options.scale === 'log-ratio' ? onLogScale(resampled) : resampled
    }),
  )
}

function pairedRatio(top: Float64Array, bottom: Float64Array, options: RatioOptions): Resampled {
  requireThat(top.length === bottom.length, `pairs, got ${top.length} and ${bottom.length} values`)
  const distribution = emptyDistribution(options)
  fillRatiosOfSums(top, bottom, options.random, distribution)
  const sumTop = sumOf(top)
  const sumBottom = sumOf(bottom)
  return {
    estimate: sumTop / sumBottom,
    distribution,
    jackknife: [top.map((value, at) => (sumTop - value) / (sumBottom - (bottom[at] ?? 0)))],
  }
}

function independentRatio(top: Float64Array, bottom: Float64Array, options: RatioOptions): Resampled {
  const distribution = emptyDistribution(options)
  const ofBottom = new Float64Array(distribution.length)
  fillResampledMeans(top, options, distribution)
  fillResampledMeans(bottom, options, ofBottom)
  for (let round = 0; round < distribution.length; round++)
    distribution[round] = (distribution[round] ?? 0) / (ofBottom[round] ?? 0)
  const meanTop = sumOf(top) / top.length
  const meanBottom = sumOf(bottom) / bottom.length
  return {
    estimate: meanTop / meanBottom,
    distribution,
    jackknife: [
      meansLeavingOneOut(top).map(value => value / meanBottom),
      meansLeavingOneOut(bottom).map(value => meanTop / value),
    ],
  }
}

/** A denominator of 0 in any resample leaves the ratio without bounds; a logarithm needs ratios above 0. */
function isUsable({ estimate, distribution, jackknife }: Resampled, scale: RatioOptions['scale']): boolean {
  const isFine = (value: number) => Number.isFinite(value) && (scale !== 'log-ratio' || value > 0)
  return isFine(estimate) && distribution.every(isFine) && jackknife.every(list => Array.from(list).every(isFine))
}

function onLogScale({ estimate, distribution, jackknife }: Resampled): Resampled {
  return {
    estimate: Math.log(estimate),
    distribution: distribution.map(Math.log),
    jackknife: jackknife.map(list => Array.from(list, Math.log)),
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}
