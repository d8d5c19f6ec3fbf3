import { isConstant } from '../../describe/moments.ts'
import { firstUnusable } from '../../describe/usable.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { fillRatiosOfSums } from './ratios-of-sums.ts'
import { emptyDistribution, type Resampled, type ResampleOptions } from './resampled.ts'

/**
 * The mean over all values, with whole clusters resampled: values of one cluster (questions about one text, attempts at
 * one task) repeat the same information (Davison & Hinkley 1997, §3.8; Field & Welsh 2007).
 */
export function resampleClusters(
  clusters: readonly (readonly number[])[],
  options: ResampleOptions,
): Estimate<Resampled> {
  if (clusters.length === 0) return unavailable('no_data')
  const reason = firstUnusable(clusters)
  if (reason !== undefined) return reason
  if (clusters.length === 1) return unavailable('one_cluster')
  const sums = Float64Array.from(clusters, values => values.reduce((sum, value) => sum + value, 0))
  const sizes = Float64Array.from(clusters, values => values.length)
  if (isConstant(clusters.flat()) || isConstant(Array.from(sums, (sum, at) => sum / (sizes[at] ?? 1))))
    return unavailable('zero_variance')
  const distribution = emptyDistribution(options)
  fillRatiosOfSums(sums, sizes, options.random, distribution)
  const total = sums.reduce((sum, value) => sum + value, 0)
  const size = sizes.reduce((sum, value) => sum + value, 0)
  return {
    estimate: total / size,
    distribution,
    jackknife: [sums.map((sum, at) => (total - sum) / (size - (sizes[at] ?? 0)))],
  }
}
