import { isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import {
  cliffsDelta,
  cohensDz,
  hedgesG,
  logRatio,
  meanOf,
  pairedDifferences,
  pairedLogRatio,
  pairedRatioInterval,
  pairingGain,
  ratioInterval,
} from '../../../stats/index.ts'
import type { Samples } from '../../samples.ts'
import { boundsOf, type EffectSizes, type Pairing } from '../comparison.ts'

/** The size of the difference, in standard units. */
export function effectSizes(
  { control, candidate, pairedBy, isRanked, weighting }: Samples,
  level: number,
): EffectSizes {
  // Net wins are themselves a size; the others have no weighted form here.
  if (isRanked || weighting !== undefined)
    return { standardized: null, cliffs_delta: null, ratio: null, geometric_ratio: null }
  const standardized =
    pairedBy === null ? hedgesG(candidate, control) : whenAvailable(pairedDifferences(candidate, control), cohensDz)
  return {
    standardized: isAvailable(standardized)
      ? { name: pairedBy === null ? 'hedges_g' : 'd_z', value: withoutRounding(standardized) }
      : null,
    cliffs_delta: valueOrNull(cliffsDelta(candidate, control)),
    ratio: ratioOf({ control, candidate, pairedBy }, level),
    geometric_ratio: geometricRatioOf({ control, candidate, pairedBy }, level),
  }
}

/** Differences of logarithms, shown as a ratio: for times and costs, which differ by factors rather than by amounts. */
function geometricRatioOf(
  { control, candidate, pairedBy }: Pick<Samples, 'control' | 'candidate' | 'pairedBy'>,
  level: number,
): EffectSizes['geometric_ratio'] {
  const found = (pairedBy === null ? logRatio : pairedLogRatio)(candidate, control, level)
  return isAvailable(found) ? { value: found.ratio, ...boundsOf(found.interval) } : null
}

/** A rounding error of differences that add up to 0 is not an effect. */
const withoutRounding = (effect: number): number => (Math.abs(effect) < 1e-12 ? 0 : effect)

/** A ratio is only meaningful if both arms are above 0: costs, times, counts. */
function ratioOf(
  { control, candidate, pairedBy }: Pick<Samples, 'control' | 'candidate' | 'pairedBy'>,
  level: number,
): EffectSizes['ratio'] {
  const isPositive = [...control, ...candidate].every(value => value >= 0)
  if (!isPositive || control.length === 0 || candidate.length === 0 || meanOf(control) === 0) return null
  const found =
    pairedBy === null ? ratioInterval(candidate, control, level) : pairedRatioInterval(candidate, control, level)
  const value = meanOf(candidate) / meanOf(control)
  if (!Number.isFinite(value)) return null
  // Values that are never negative have no ratio below 0, even if the formula for few units gives one.
  return isAvailable(found)
    ? { value, ...boundsOf({ ...found, low: Math.max(0, found.low) }) }
    : { value, level, low: null, high: null }
}

export function pairingOf({ control, candidate, pairedBy, dropped }: Samples): Pairing | null {
  if (pairedBy === null) return null
  const gain = valueOrNull(pairingGain(candidate, control))
  return {
    by: pairedBy,
    correlation: gain === null ? null : valueOrNull(gain.correlation),
    variance_reduction: gain?.varianceReduction ?? null,
    unmatched: dropped.unmatched,
  }
}
