import { isConstant, sumOfSquares } from '../../describe/moments.ts'
import { sorted, sortedQuantile } from '../../describe/quantile.ts'
import { normalQuantile } from '../../distributions/normal.ts'
import { type Estimate, unavailable, whenAvailable } from '../../estimate.ts'
import { leaveOneOut } from './leave-one-out.ts'
import { emptyDistribution, type Resampled, type ResampleOptions, resamplable } from './resampled.ts'
import { meanStatistic, type Statistic } from './statistic.ts'

/**
 * Each value drawn is smoothed by a normal kernel, i.e. drawn from a density estimate rather than from the values
 * themselves (Silverman & Young 1987, "The bootstrap: to smooth or not to smooth?"). Helps if there are few values, and
 * for medians.
 */
export function resampleSmoothly(
  values: readonly number[],
  options: ResampleOptions & { readonly statistic?: Statistic; readonly bandwidth?: number },
): Estimate<Resampled> {
  return whenAvailable(resamplable(values), sample => {
    if (isConstant(values)) return unavailable('zero_variance')
    const { statistic = meanStatistic, bandwidth = silvermanBandwidth(values), random } = options
    const distribution = emptyDistribution(options)
    const chosen = new Int32Array(sample.length)
    const resample = new Float64Array(sample.length)
    for (let round = 0; round < distribution.length; round++) {
      random.fillBelow(sample.length, chosen)
      for (let at = 0; at < chosen.length; at++)
        resample[at] = (sample[chosen[at] ?? 0] ?? 0) + bandwidth * blur(random)
      distribution[round] = statistic(resample)
    }
    return { estimate: statistic(sample.slice()), distribution, jackknife: [leaveOneOut(sample, statistic)] }
  })
}

/** The rule of thumb of Silverman 1986, "Density estimation", eq. 3.31. */
export function silvermanBandwidth(values: readonly number[]): number {
  const ordered = sorted(values)
  const deviation = Math.sqrt(sumOfSquares(values) / (values.length - 1))
  const quartileRange = sortedQuantile(ordered, 0.75) - sortedQuantile(ordered, 0.25)
  // If half the values are equal the quartiles say nothing about the width.
  const width = quartileRange > 0 ? Math.min(deviation, quartileRange / 1.34) : deviation
  return 0.9 * width * values.length ** -0.2
}

/** Standard normal, by inversion; the half step keeps it finite. */
function blur(random: ResampleOptions['random']): number {
  return normalQuantile(random.next() + 2 ** -54)
}
