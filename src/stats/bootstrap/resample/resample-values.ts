import { isConstant } from '../../describe/moments.ts'
import { type Estimate, unavailable, whenAvailable } from '../../estimate.ts'
import { leaveOneOut, meansLeavingOneOut } from './leave-one-out.ts'
import { emptyDistribution, type Resampled, type ResampleOptions, resamplable } from './resampled.ts'
import { meanStatistic, type Statistic } from './statistic.ts'

/** The ordinary bootstrap of one sample (Efron 1979): as many values, drawn with replacement. */
export function resampleValues(
  values: readonly number[],
  options: ResampleOptions & { readonly statistic?: Statistic },
): Estimate<Resampled> {
  return whenAvailable(resamplable(values), sample => {
    if (isConstant(values)) return unavailable('zero_variance')
    const { statistic = meanStatistic } = options
    const distribution = emptyDistribution(options)
    if (statistic === meanStatistic) fillResampledMeans(sample, options, distribution)
    else fillResampled(sample, statistic, options, distribution)
    return {
      estimate: statistic(sample.slice()),
      distribution,
      jackknife: [statistic === meanStatistic ? meansLeavingOneOut(sample) : leaveOneOut(sample, statistic)],
    }
  })
}

/** The means of resamples, without copying any resample. */
export function fillResampledMeans(sample: Float64Array, { random }: ResampleOptions, into: Float64Array): void {
  const chosen = new Int32Array(sample.length)
  for (let round = 0; round < into.length; round++) {
    random.fillBelow(sample.length, chosen)
    let sum = 0
    for (let at = 0; at < chosen.length; at++) sum += sample[chosen[at] ?? 0] ?? 0
    into[round] = sum / chosen.length
  }
}

function fillResampled(
  sample: Float64Array,
  statistic: Statistic,
  { random }: ResampleOptions,
  into: Float64Array,
): void {
  const chosen = new Int32Array(sample.length)
  const resample = new Float64Array(sample.length)
  for (let round = 0; round < into.length; round++) {
    random.fillBelow(sample.length, chosen)
    for (let at = 0; at < chosen.length; at++) resample[at] = sample[chosen[at] ?? 0] ?? 0
    into[round] = statistic(resample)
  }
}
