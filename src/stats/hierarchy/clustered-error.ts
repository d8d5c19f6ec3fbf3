import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { unusable } from '../describe/usable.ts'
import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { tInterval } from '../tests/means/t-inference.ts'

export interface ClusteredError {
  readonly mean: number
  readonly size: number
  readonly clusters: number
  /** As if all values were independent. */
  readonly naiveError: Estimate<number>
  /** Without a correction for few clusters (CR0). */
  readonly uncorrectedError: Estimate<number>
  /** The one to use: the variance times C / (C − 1), with C − 1 degrees of freedom. */
  readonly standardError: Estimate<number>
  readonly degreesOfFreedom: number
  /** The ratio of the variance to that of as many independent values. */
  readonly designEffect: Estimate<number>
  /** The number of independent values with the same information. */
  readonly effectiveSize: Estimate<number>
}

/**
 * The standard error of a mean of values that come in clusters (Liang & Zeger 1986; as given by Miller 2024,
 * "Adding error bars to evals", appendix A). With fewer than about 20 clusters it is itself uncertain.
 */
export function clusteredError(
  values: readonly number[],
  clusters: readonly (string | number)[],
): Estimate<ClusteredError> {
  requireThat(
    values.length === clusters.length,
    `a cluster for each of ${values.length} values, got ${clusters.length}`,
  )
  const reason = unusable(values)
  if (reason !== undefined) return reason
  const mean = meanOf(values)
  const size = values.length
  const residuals = new Map<string | number, number>()
  values.forEach((value, at) => {
    const cluster = clusters[at] ?? ''
    residuals.set(cluster, (residuals.get(cluster) ?? 0) + value - mean)
  })
  const count = residuals.size
  const squares = [...residuals.values()].reduce((sum, residual) => sum + residual * residual, 0)
  const naive = sumOfSquares(values) / (size - 1) / size
  const available = (compute: () => number): Estimate<number> => {
    if (count === 1) return unavailable(size === 1 ? 'too_few_values' : 'one_cluster')
    return naive === 0 ? unavailable('zero_variance') : compute()
  }
  const corrected = (squares / size ** 2) * (count / (count - 1))
  return {
    mean,
    size,
    clusters: count,
    naiveError:
      size === 1 ? unavailable('too_few_values') : naive === 0 ? unavailable('zero_variance') : Math.sqrt(naive),
    uncorrectedError: available(() => Math.sqrt(squares) / size),
    standardError: available(() => Math.sqrt(corrected)),
    degreesOfFreedom: count - 1,
    designEffect: available(() => corrected / naive),
    effectiveSize: available(() => (size * naive) / corrected),
  }
}

export function clusteredInterval(error: ClusteredError, level = 0.95): Estimate<Interval> {
  return whenAvailable(error.standardError, standardError =>
    tInterval(error.mean, standardError, error.degreesOfFreedom, level),
  )
}
