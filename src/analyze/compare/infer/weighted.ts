import { type Estimate, isAvailable, unavailable, whenAvailable } from '../../../stats/estimate.ts'
import {
  type Alternative,
  binomialCoefficient,
  type Interval,
  isConstant,
  meanOf,
  type Resampled,
  type ResampleOptions,
  type StratifiedMean,
  steadyError,
  stratifiedDifference,
  stratifiedMean,
  studentizedInterval,
  studentizedPValue,
  studentizeStratified,
  tInference,
  type WeightedStratum,
} from '../../../stats/index.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Method } from '../../choices.ts'
import type { Samples } from '../../samples.ts'
import { factorsOf, strataOf, type Weighting } from '../../units/weighting.ts'
import { sourceOf } from '../method.ts'
import { type Inference, type InferenceOptions, wider } from './inference.ts'

/** Samples whose units have different weights. */
export type WeightedSamples = Samples & { readonly weighting: Weighting }

export const areWeighted = (samples: Samples): samples is WeightedSamples => samples.weighting !== undefined

/**
 * Candidate minus control with weights and strata: estimate, interval and test are all about the same weighted mean.
 */
export function inferWeighted(
  samples: WeightedSamples,
  method: Exclude<Method, 'auto'>,
  options: InferenceOptions,
): Inference {
  switch (method) {
    case 't':
      return byT(samples, options)
    case 'studentized':
      return byStudentizing(samples, options)
    case 'wider':
      return wider(byT(samples, options), byStudentizing(samples, options))
    default:
      throw new AssayError('usage', `the method ${method} has no form with weights or strata`, {
        hint: 'leave --method out, or take t, studentized or wider',
      })
  }
}

export const weightedDifference = (samples: WeightedSamples): Estimate<StratifiedMean> => {
  const { candidate, control } = armsOf(samples)
  return control.length === 0 ? stratifiedMean(candidate) : stratifiedDifference(candidate, control)
}

/** One arm by itself. */
export function weightedArm(samples: WeightedSamples, side: 'control' | 'candidate'): Estimate<StratifiedMean> {
  const { weighting } = samples
  return stratifiedMean(strataOf(samples[side], weighting[side], weighting.shares))
}

/** The estimate itself needs no spread. */
export function weightedMean(
  values: readonly number[],
  side: 'control' | 'candidate',
  weighting: Weighting,
): Estimate<number> {
  const factors = factorsOf(weighting[side], weighting.shares)
  if (values.length === 0) return unavailable('no_data')
  return values.reduce((sum, value, at) => sum + value * (factors[at] ?? 0), 0) / values.length
}

/** Pairs whose plain mean is the weighted one, so that their signs can be flipped. */
export function scaledPairs(samples: WeightedSamples): Samples {
  const { weighting: _, ...plain } = samples
  const factors = factorsOf(samples.weighting.control, samples.weighting.shares)
  return { ...plain, control: scaled(samples.control, factors), candidate: scaled(samples.candidate, factors) }
}

/** Values of the control whose plain mean is the weighted one. */
export const controlValues = (samples: Samples): readonly number[] =>
  areWeighted(samples)
    ? scaled(samples.control, factorsOf(samples.weighting.control, samples.weighting.shares))
    : samples.control

const scaled = (values: readonly number[], factors: readonly number[]): readonly number[] =>
  values.map((value, at) => value * (factors[at] ?? 1))

/** Pairs are one arm of differences. */
function armsOf({ control, candidate, pairedBy, weighting }: WeightedSamples): {
  readonly candidate: readonly WeightedStratum[]
  readonly control: readonly WeightedStratum[]
} {
  const { shares } = weighting
  if (pairedBy === null)
    return {
      candidate: strataOf(candidate, weighting.candidate, shares),
      control: strataOf(control, weighting.control, shares),
    }
  const differences = candidate.map((value, at) => value - (control[at] ?? Number.NaN))
  return { candidate: strataOf(differences, weighting.candidate, shares), control: [] }
}

function byT(samples: WeightedSamples, { level, alternative }: InferenceOptions): Inference {
  // The end of a one-sided interval is that of a two-sided one with twice the error.
  const reach = alternative === 'two-sided' ? level : 2 * level - 1
  const found = whenAvailable(weightedDifference(samples), ({ estimate, standardError, df }) =>
    tInference(estimate, standardError, df, { level: reach, alternative }),
  )
  return {
    interval: whenAvailable(
      found,
      ({ interval }): Interval => ({
        level,
        low: alternative === 'less' ? Number.NEGATIVE_INFINITY : interval.low,
        high: alternative === 'greater' ? Number.POSITIVE_INFINITY : interval.high,
      }),
    ),
    p: whenAvailable(found, ({ p }) => p),
    test: samples.pairedBy === null ? 'weighted t' : 'weighted paired t',
    leastP: null,
  }
}

/**
 * Two groups whose strata do not vary: of all ways to deal a stratum's units, only the observed one is as far apart
 * (and its mirror image, if the groups are of equal size). Nothing if strata differ in opposite directions, or none
 * differs.
 */
export function separatedP(samples: WeightedSamples, alternative: Alternative): Estimate<number> {
  const { candidate, control } = armsOf(samples)
  const apart = candidate.flatMap(({ values: theirs }, at) => {
    const ours = control[at]?.values ?? []
    if (isConstant([...ours, ...theirs])) return []
    const ways = binomialCoefficient(ours.length + theirs.length, ours.length)
    return [{ sign: Math.sign(meanOf(theirs) - meanOf(ours)), ways, isEven: ours.length === theirs.length }]
  })
  const [first] = apart
  if (first === undefined || apart.some(({ sign }) => sign !== first.sign)) return unavailable('zero_variance')
  const share = apart.reduce((product, { ways }) => product / ways, 1)
  // Nothing is certain, however many units there are.
  const p = Math.max(Number.MIN_VALUE, share)
  if (alternative === 'two-sided') return Math.min(1, apart.every(({ isEven }) => isEven) ? 2 * p : p)
  return first.sign > 0 === (alternative === 'greater') ? p : 1
}

/** For its picture. */
export function resampledWeighted(samples: WeightedSamples, resampling: ResampleOptions): Estimate<Resampled> {
  const { candidate, control } = armsOf(samples)
  return whenAvailable(studentizeStratified(candidate, control, resampling), ({ estimate, estimates }) => ({
    estimate,
    distribution: Float64Array.from(estimates),
    jackknife: [],
  }))
}

function byStudentizing(samples: WeightedSamples, { level, alternative, drawing }: InferenceOptions): Inference {
  const { candidate, control } = armsOf(samples)
  const found = studentizeStratified(candidate, control, { random: sourceOf(drawing), resamples: drawing.resamples })
  const interval = whenAvailable(found, own =>
    studentizedInterval(own, { level, alternative, leastError: steadyError }),
  )
  return {
    interval,
    p: whenAvailable(found, own => studentizedPValue(own, { alternative, leastError: steadyError })),
    test: 'studentised bootstrap within strata',
    leastP: isAvailable(interval) ? (alternative === 'two-sided' ? 2 : 1) / (interval.used + 1) : null,
  }
}
