import { areUnlikeInSize, counterRandom, numpyRandom, type RandomSource } from '../../stats/index.ts'
import type { Drawing, Method } from '../choices.ts'
import type { Samples } from '../samples.ts'
import { fewestInStratum } from '../units/weighting.ts'

/** A new source for each use, so that no result depends on what was computed before it. */
export const sourceOf = ({ seed, rng }: Drawing): RandomSource =>
  rng === 'numpy' ? numpyRandom(seed) : counterRandom(seed)

/** Below so many units resampling sees too little of the data. */
export const fewUnits = 7

/**
 * Follows from the kind of data and the design alone, never from how the numbers turned out; docs/calibration.md has the
 * coverage that speaks for it. Yes or no: the unconditional score test. Few units: t. Otherwise the wider of t and
 * studentised bootstrap: the one claims too much where differences are skewed, the other where they have long tails on both sides.
 * Few units against many: both do on one long tail, which the few seldom include, and a permutation test is added to them.
 */
export function methodFor(samples: Samples): Exclude<Method, 'auto'> {
  // The standard error of a median is unknown: only its resamples show how it varies.
  if (samples.across !== undefined) return 'percentile'
  // Welch's t of what the runs of two groups have won is Brunner and Munzel's test.
  if (samples.isRanked && samples.pairedBy === null) return 't'
  if (samples.weighting !== undefined) return fewestInStratum(samples.weighting) < fewUnits ? 't' : 'wider'
  return samples.isCounted ? 'score' : methodForNumbers(samples)
}

export function methodForNumbers(samples: Samples): 't' | 'wider' {
  return leastUnits(samples) < fewUnits && !arePermuted(samples) ? 't' : 'wider'
}

export const leastUnits = ({ control, candidate }: Samples): number => Math.min(control.length, candidate.length)

/** Whether \`wider\` takes a permutation test of two groups into account, too: by their sizes alone. */
export const arePermuted = ({ control, candidate, pairedBy, isRanked, weighting, across }: Samples): boolean =>
  pairedBy === null &&
  !isRanked &&
  weighting === undefined &&
  across === undefined &&
  areUnlikeInSize(candidate.length, control.length)

/** Only 0 and 1: passed or not. */
export const isBinary = (values: readonly number[]): boolean => values.every(value => value === 0 || value === 1)
