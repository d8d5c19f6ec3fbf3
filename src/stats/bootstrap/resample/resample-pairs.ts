import { areConstant, pairedDifferences } from '../../describe/differences.ts'
import { type Estimate, unavailable, whenAvailable } from '../../estimate.ts'
import { meansLeavingOneOut } from './leave-one-out.ts'
import { fillResampledMeans } from './resample-values.ts'
import { emptyDistribution, type Resampled, type ResampleOptions } from './resampled.ts'
import { meanStatistic, type Statistic } from './statistic.ts'

/**
 * Statistic of the candidate minus that of the control, for paired values. Pairs are drawn, not values: drawing the
 * arms separately gives the right estimate and a wrong interval, because it ignores their correlation.
 */
export function resamplePairs(
  candidate: readonly number[],
  control: readonly number[],
  options: ResampleOptions & { readonly statistic?: Statistic },
): Estimate<Resampled> {
  return whenAvailable(pairedDifferences(candidate, control), differences => {
    if (differences.values.length < 2) return unavailable('too_few_values')
    if (areConstant(differences)) return unavailable('zero_variance')
    const { statistic = meanStatistic } = options
    return statistic === meanStatistic
      ? ofMeans(Float64Array.from(differences.values), options)
      : ofStatistic(Float64Array.from(candidate), Float64Array.from(control), statistic, options)
  })
}

/** The difference of two means is the mean of the differences. */
function ofMeans(differences: Float64Array, options: ResampleOptions): Resampled {
  const distribution = emptyDistribution(options)
  fillResampledMeans(differences, options, distribution)
  return { estimate: meanStatistic(differences), distribution, jackknife: [meansLeavingOneOut(differences)] }
}

function ofStatistic(
  first: Float64Array,
  second: Float64Array,
  statistic: Statistic,
  options: ResampleOptions,
): Resampled {
  const distribution = emptyDistribution(options)
  const chosen = new Int32Array(first.length)
  const ofFirst = new Float64Array(first.length)
  const ofSecond = new Float64Array(first.length)
  for (let round = 0; round < distribution.length; round++) {
    options.random.fillBelow(first.length, chosen)
    for (let at = 0; at < chosen.length; at++) {
      ofFirst[at] = first[chosen[at] ?? 0] ?? 0
      ofSecond[at] = second[chosen[at] ?? 0] ?? 0
    }
    distribution[round] = statistic(ofFirst) - statistic(ofSecond)
  }
  const without = (sample: Float64Array, out: number) => statistic(sample.filter((_, at) => at !== out))
  return {
    estimate: statistic(first.slice()) - statistic(second.slice()),
    distribution,
    jackknife: [first.map((_, out) => without(first, out) - without(second, out))],
  }
}
