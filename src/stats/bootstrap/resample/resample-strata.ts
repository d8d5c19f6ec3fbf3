import { isConstant, meanOf } from '../../describe/moments.ts'
import { firstUnusable } from '../../describe/usable.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'
import { meansLeavingOneOut } from './leave-one-out.ts'
import { fillResampledMeans } from './resample-values.ts'
import { emptyDistribution, type Resampled, type ResampleOptions } from './resampled.ts'

export interface StrataOptions extends ResampleOptions {
  /** The weight of each stratum; by default its share of the values, which makes the estimate the mean of them all. */
  readonly weights?: readonly number[]
}

/**
 * The weighted mean of strata that were sampled separately: each is resampled by itself (Davison & Hinkley 1997, §3.2).
 */
export function resampleStrata(strata: readonly (readonly number[])[], options: StrataOptions): Estimate<Resampled> {
  if (strata.length === 0) return unavailable('no_data')
  const reason = firstUnusable(strata)
  if (reason !== undefined) return reason
  // The value of a single-value stratum would look certain.
  if (strata.some(values => values.length === 1)) return unavailable('too_few_values')
  if (strata.every(isConstant)) return unavailable('zero_variance')
  const shares = sharesOf(strata, options.weights)
  const means = strata.map(meanOf)
  const estimate = means.reduce((sum, mean, at) => sum + mean * (shares[at] ?? 0), 0)
  const distribution = emptyDistribution(options)
  const ofStratum = new Float64Array(distribution.length)
  const jackknife = strata.map((values, stratum) => {
    const sample = Float64Array.from(values)
    const share = shares[stratum] ?? 0
    fillResampledMeans(sample, options, ofStratum)
    for (let round = 0; round < distribution.length; round++)
      distribution[round] = (distribution[round] ?? 0) + share * (ofStratum[round] ?? 0)
    return meansLeavingOneOut(sample).map(mean => estimate + share * (mean - (means[stratum] ?? 0)))
  })
  return { estimate, distribution, jackknife }
}

function sharesOf(strata: readonly (readonly number[])[], weights: readonly number[] | undefined): readonly number[] {
  requireThat(weights === undefined || weights.length === strata.length, `a weight for each of ${strata.length} strata`)
  const given = weights ?? strata.map(values => values.length)
  const total = given.reduce((sum, weight) => sum + weight, 0)
  requireThat(total > 0 && given.every(weight => weight >= 0), 'weights of at least 0 that are not all 0')
  return given.map(weight => weight / total)
}
