import { normalCdf, normalQuantile } from '../distributions/normal.ts'
import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import { acceleration } from './acceleration.ts'
import type { Resampled } from './resample/resampled.ts'

export interface BcaLevels {
  /** The distance of the estimate from the median of the resamples, in standard normal units. */
  readonly bias: number
  readonly acceleration: number
  /** The corrected share of the resamples that corresponds to a nominal share. */
  levelFor(share: number): number
}

/**
 * The corrected levels of Efron 1987: Φ(z0 + (z0 + z) / (1 − a (z0 + z))). Resamples equal to the estimate count half
 * below it, which matters if values are few or discrete.
 */
export function bcaLevels(
  distribution: Float64Array,
  { estimate, jackknife }: Pick<Resampled, 'estimate' | 'jackknife'>,
): Estimate<BcaLevels> {
  // The same values summed in another order have the same mean.
  const rounding = 1e-12 * distribution.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  let below = 0
  let notAbove = 0
  for (const value of distribution) {
    if (value < estimate - rounding) below++
    if (value <= estimate + rounding) notAbove++
  }
  const share = (below + notAbove) / (2 * distribution.length)
  // All resamples are on one side: the correction would be infinite.
  if (share === 0 || share === 1) return unavailable('unbounded')
  return whenAvailable(acceleration(jackknife), a => {
    const bias = normalQuantile(share)
    const levelFor = (wanted: number): number => {
      const z = bias + normalQuantile(wanted)
      // Past the pole of the map the level is at its end, not on the other side.
      return a * z >= 1 ? Number(a > 0) : normalCdf(bias + z / (1 - a * z))
    }
    return { bias, acceleration: a, levelFor }
  })
}
