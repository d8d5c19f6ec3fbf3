import { areUnlikeInSize, counterRandom, numpyRandom, type RandomSource } from '../../stats/index.ts'
import type { Drawing, Method } from '../choices.ts'
import type { Samples } from '../samples.ts'
import { fewestInStratum } from '../units/weighting.ts'

/** A new source for each use, so that no result depends on earlier computations. */
export const sourceOf = ({ seed, rng }: Drawing): RandomSource =>
  rng === 'numpy' ? numpyRandom(seed) : counterRandom(seed)

/** With fewer units resampling sees too little of the data. */
export const fewUnits = 7

/**
 * Follows from the kind of data and the design alone, never from the values; docs/calibration.md has the coverage that
 * supports it. Yes or no: the unconditional score test. Few units: t. Otherwise the wider of t and studentised
 * bootstrap: one claims too much if differences are skewed, the other if they have long tails on both sides. Few units
 * against many: both fail on a single long tail, which the few seldom include, so a permutation test is added to them.
 */
export function methodFor(samples: Samples): Exclude<Method, 'auto'> {
  // The standard error of a median is unknown: only its resamples show how it varies.
  if (samples.across !== undefined) return 'percentile'
  // Welch's t on the wins of two groups is Brunner and Munzel's test.
  if (samples.isRanked && samples.pairedBy === null) return 't'
  if (samples.weighting !== undefined) return fewestInStratum(samples.weighting) < fewUnits ? 't' : 'wider'
  return samples.isCounted ? 'score' : methodForNumbers(samples)
}

export function methodForNumbers(samples: Samples): 't' | 'wider' {
  return leastUnits(samples) < fewUnits && !arePermuted(samples) ? 't' : 'wider'
}

export const leastUnits = ({ control, candidate }: Samples): number => Math.min(control.length, candidate.length)

/** Whether \`wider\` also uses a permutation test of two groups: by their sizes alone. */
export const arePermuted = ({ control, candidate, pairedBy, isRanked, weighting, across }: Samples): boolean =>
  pairedBy === null &&
  !isRanked &&
  weighting === undefined &&
  across === undefined &&
  areUnlikeInSize(candidate.length, control.length)

/** Only 0 and 1: passed or not. */
export const isBinary = (values: readonly number[]): boolean => values.every(value => value === 0 || value === 1)
