import { isConstant } from '../../describe/moments.ts'
import { type Estimate, unavailable, whenAvailable } from '../../estimate.ts'
import { leaveOneOut, meansLeavingOneOut } from './leave-one-out.ts'
import { fillResampledMeans } from './resample-values.ts'
import { emptyDistribution, type Resampled, type ResampleOptions, resamplable } from './resampled.ts'
import { meanStatistic, type Statistic } from './statistic.ts'

/** Statistic of the candidate minus that of the control, each arm resampled on its own, at its own size. */
export function resampleDifference(
  candidate: readonly number[],
  control: readonly number[],
  options: ResampleOptions & { readonly statistic?: Statistic },
): Estimate<Resampled> {
  return whenAvailable(resamplable(candidate), first =>
    whenAvailable(resamplable(control), second => {
      if (isConstant(candidate) && isConstant(control)) return unavailable('zero_variance')
      const { statistic = meanStatistic } = options
      const distribution = emptyDistribution(options)
      if (statistic === meanStatistic) fillMeanDifferences(first, second, options, distribution)
      else fillDifferences(first, second, statistic, options, distribution)
      const leftOut = (sample: Float64Array) =>
        statistic === meanStatistic ? meansLeavingOneOut(sample) : leaveOneOut(sample, statistic)
      const ofFirst = statistic(first.slice())
      const ofSecond = statistic(second.slice())
      return {
        estimate: ofFirst - ofSecond,
        distribution,
        jackknife: [leftOut(first).map(value => value - ofSecond), leftOut(second).map(value => ofFirst - value)],
      }
    }),
  )
}

function fillMeanDifferences(
  first: Float64Array,
  second: Float64Array,
  options: ResampleOptions,
  into: Float64Array,
): void {
  const ofSecond = new Float64Array(into.length)
  fillResampledMeans(first, options, into)
  fillResampledMeans(second, options, ofSecond)
  for (let round = 0; round < into.length; round++) into[round] = (into[round] ?? 0) - (ofSecond[round] ?? 0)
}

function fillDifferences(
  first: Float64Array,
  second: Float64Array,
  statistic: Statistic,
  { random }: ResampleOptions,
  into: Float64Array,
): void {
  const drawn = (sample: Float64Array) => {
    const chosen = new Int32Array(sample.length)
    const resample = new Float64Array(sample.length)
    return () => {
      random.fillBelow(sample.length, chosen)
      for (let at = 0; at < chosen.length; at++) resample[at] = sample[chosen[at] ?? 0] ?? 0
      return statistic(resample)
    }
  }
  const ofFirst = drawn(first)
  const ofSecond = drawn(second)
  for (let round = 0; round < into.length; round++) into[round] = ofFirst() - ofSecond()
}
