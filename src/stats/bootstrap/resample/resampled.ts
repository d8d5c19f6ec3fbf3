import { unusable } from '../../describe/usable.ts'
import { type Estimate, requireThat } from '../../estimate.ts'
import type { RandomSource } from '../../random/random-source.ts'

/** The result of any kind of resampling: intervals and p-values are computed from this record alone. */
export interface Resampled {
  readonly estimate: number
  /** The statistic of every resample. */
  readonly distribution: Float64Array
  /**
   * The statistic with one unit left out: a list for each sample that was resampled separately. BCa intervals need it.
   */
  readonly jackknife: readonly ArrayLike<number>[]
}

export interface ResampleOptions {
  readonly random: RandomSource
  readonly resamples?: number
}

const defaultResamples = 10_000

export function emptyDistribution({ resamples = defaultResamples }: ResampleOptions): Float64Array {
  requireThat(Number.isInteger(resamples) && resamples > 0, `a whole number of resamples above 0, got ${resamples}`)
  return new Float64Array(resamples)
}

/** The values as doubles, or the reason why resampling them would not show their spread. */
export function resamplable(values: readonly number[]): Estimate<Float64Array> {
  return unusable(values, 2) ?? Float64Array.from(values)
}
