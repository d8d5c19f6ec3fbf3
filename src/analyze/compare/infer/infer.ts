import { type Estimate, isAvailable, unavailable, whenAvailable } from '../../../stats/estimate.ts'
import {
  type Alternative,
  binomialProbability,
  bootstrapInterval,
  bootstrapPValue,
  fisherExactTest,
  groupScoreInterval,
  groupScoreTest,
  type Interval,
  mcnemarTest,
  meanOf,
  newcombeInterval,
  newcombePairedInterval,
  type PermutationTest,
  pairedDifferences,
  pairedScoreInterval,
  pairedScoreTest,
  pairedTTest,
  permutationIndependent,
  permutationIndependentInterval,
  permutationPaired,
  permutationPairedInterval,
  steadyError,
  steadyWelchTest,
  studentizeDifference,
  studentizedInterval,
  studentizedPermutation,
  studentizedPValue,
  studentizeMean,
  welchTest,
} from '../../../stats/index.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Drawing, Method } from '../../choices.ts'
import type { Samples } from '../../samples.ts'
import { arePermuted, fewUnits, isBinary, leastUnits, sourceOf } from '../method.ts'
import { countOf, pairedCountsOf } from './counts.ts'
import { crossedWith, type MeanMethod } from './crossed.ts'
import { crossedStatistic } from './crossed-statistic.ts'
import { type Inference, type InferenceOptions, oneSided, wider } from './inference.ts'
import { type Draw, resampledDifference, statisticAcross } from './resampled-difference.ts'
import { areWeighted, inferWeighted, scaledPairs, separatedP, weightedMean } from './weighted.ts'

export type { Inference, InferenceOptions } from './inference.ts'

/** Whether more resamples might have given a smaller p. */
export function isAtFloor({ p, leastP }: Pick<Inference, 'p' | 'leastP'>): boolean {
  return isAvailable(p) && leastP !== null && p <= leastP * (1 + 1e-9)
}

/** The data themselves count as one of the resamples, on each side that is tested. */
const leastOf = (resamples: number, alternative: Alternative): number =>
  (alternative === 'two-sided' ? 2 : 1) / (resamples + 1)

/** Candidate minus control, by one method. Interval and p come from the same distribution if possible. */
export function infer(samples: Samples, method: Exclude<Method, 'auto'>, options: InferenceOptions): Inference {
  requireFitting(samples, method)
  const found = inferBy(samples, method, options)
  return isAvailable(found.p) ? found : (rearranged(samples, found, options) ?? found)
}

/**
 * Values that do not vary have no standard error, and no interval. Whether they differ can still be tested: of 20 pairs
 * that all differ by the same amount, one choice of signs in a million looks like that.
 */
function rearranged(samples: Samples, { interval, p }: Inference, options: InferenceOptions): Inference | null {
  if (isAvailable(p) || p.unavailable !== 'zero_variance' || samples.across !== undefined) return null
  if (areWeighted(samples) && samples.pairedBy === null)
    return { interval, p: separatedP(samples, options.alternative), test: 'permutation within strata', leastP: null }
  const found = permutationP(samples, options.alternative, options.drawing)
  return isAvailable(found.p) ? { interval, ...found } : null
}

function inferBy(samples: Samples, method: Exclude<Method, 'auto'>, options: InferenceOptions): Inference {
  if (method === 't' || method === 'studentized' || method === 'wider')
    return crossedWith(samples, method, options, ofMeans)
  if (areWeighted(samples)) return inferWeighted(samples, method, options)
  switch (method) {
    case 'percentile':
    case 'basic':
    case 'bca':
      return byResampling(samples, method, 'units', options)
    case 'smooth':
    case 'nested':
      return byResampling(samples, 'percentile', method, options)
    case 'permutation':
      return byPermutation(samples, options)
    case 'newcombe':
      return byCounting(samples, options)
    case 'score':
      return byScore(samples, options)
  }
}

const ofMeans = (samples: Samples, method: MeanMethod, options: InferenceOptions): Inference =>
  areWeighted(samples)
    ? inferWeighted(samples, method, options)
    : { t: byT, studentized: byStudentizing, wider: byBoth }[method](samples, options)

/**
 * Whether p is at most alpha, as in {@link infer}. Simulations ask this a hundred thousand times, so the faster of two
 * tests goes first.
 */
export function isSignificant(
  samples: Samples,
  method: Exclude<Method, 'auto'>,
  alpha: number,
  options: InferenceOptions,
): boolean {
  const isAtMostAlpha = (p: Estimate<number>): boolean => isAvailable(p) && p <= alpha
  if (method === 'wider' && !isAtMostAlpha(infer(samples, 't', options).p)) return false
  if (method === 'wider' && arePermuted(samples)) {
    if ((samples.crossedGroups ?? []).length > 0) return isAtMostAlpha(infer(samples, 'wider', options).p)
    const { alternative, drawing } = options
    if (!isAtMostAlpha(whenAvailable(permutationOfT(samples, drawing), test => test.p(alternative)))) return false
    if (leastUnits(samples) < fewUnits) return true
  }
  return isAtMostAlpha(infer(samples, method === 'wider' ? 'studentized' : method, { ...options, enough: alpha }).p)
}

const ofAnyStatistic: readonly Method[] = ['percentile', 'basic', 'bca']

function requireFitting({ across, isRanked, pairedBy }: Samples, method: Method): void {
  if (isRanked && pairedBy === null && method !== 't')
    throw new AssayError(
      'usage',
      `the method ${method} is for numbers, and this is about what runs of two groups win`,
      {
        hint: "leave --method out: Brunner and Munzel's test is used",
      },
    )
  if (across !== undefined && !ofAnyStatistic.includes(method))
    throw new AssayError('usage', `the method ${method} is for means, and this is about the ${across}`, {
      hint: `leave --method out, or take ${ofAnyStatistic.join(', ')}`,
    })
}

function byT(samples: Samples, { level, alternative }: InferenceOptions): Inference {
  const { control, candidate, pairedBy, isRanked } = samples
  const test =
    pairedBy === null
      ? (isRanked ? welchTest : steadyWelchTest)(candidate, control, { level, alternative })
      : pairedTTest(candidate, control, { level, alternative })
  return {
    interval: whenAvailable(test, ({ interval, estimate, standardError, df }) =>
      alternative === 'two-sided' ? interval : oneSided(estimate, standardError, df, level, alternative),
    ),
    p: whenAvailable(test, ({ p }) => p),
    test: pairedBy !== null ? 'paired t' : isRanked ? 'Brunner–Munzel' : "Welch's t",
    leastP: null,
  }
}

function byStudentizing({ control, candidate, pairedBy }: Samples, options: InferenceOptions): Inference {
  const { level, alternative, drawing, enough = 0 } = options
  const resampling = { random: sourceOf(drawing), resamples: drawing.resamples }
  const studentized =
    pairedBy === null
      ? studentizeDifference(candidate, control, resampling)
      : whenAvailable(pairedDifferences(candidate, control), ({ values }) => studentizeMean(values, resampling))
  const interval = whenAvailable(studentized, found =>
    studentizedInterval(found, { level, alternative, leastError: steadyError }),
  )
  return {
    interval,
    p: whenAvailable(studentized, found => studentizedPValue(found, { alternative, leastError: steadyError, enough })),
    test: 'studentised bootstrap',
    leastP: isAvailable(interval) ? leastOf(interval.used, alternative) : null,
  }
}

function byBoth(samples: Samples, options: InferenceOptions): Inference {
  if (!arePermuted(samples)) return wider(byT(samples, options), byStudentizing(samples, options))
  const known = byT(samples, options)
  const dealt = byDealing(samples, options)
  if (leastUnits(samples) < fewUnits) return wider(known, dealt)
  const resampled = wider(known, byStudentizing(samples, options))
  const most = wider(resampled, dealt)
  return {
    ...most,
    test: `${known.test}, studentised bootstrap and studentised permutation, the largest p`,
    leastP: most.p === resampled.p ? resampled.leastP : null,
  }
}

/** Few units against many: t and bootstrap learn too little from the few about extreme values. */
function byDealing(samples: Samples, { level, alternative, drawing }: InferenceOptions): Inference {
  const found = permutationOfT(samples, drawing)
  return {
    interval: whenAvailable(found, test => test.interval(level, alternative)),
    p: whenAvailable(found, test => test.p(alternative)),
    test: 'studentised permutation',
    leastP: null,
  }
}

const permutationOfT = ({ control, candidate }: Samples, drawing: Drawing) =>
  studentizedPermutation(candidate, control, { random: sourceOf(drawing), resamples: drawing.resamples })

function byResampling(
  samples: Samples,
  method: 'percentile' | 'basic' | 'bca',
  draw: Draw,
  options: InferenceOptions,
): Inference {
  const { level, alternative, drawing } = options
  const resampled = resampledDifference(samples, drawing, draw)
  // Published results are reproduced as they are, including a p of 0.
  const form = drawing.rng === 'numpy' ? 'published' : 'counted'
  const ofUnits: Inference = {
    interval: whenAvailable(resampled, found => bootstrapInterval(found, { method, level, alternative })),
    p: whenAvailable(resampled, ({ distribution }) => bootstrapPValue(distribution, { alternative, form })),
    test: { units: 'bootstrap', nested: 'nested bootstrap', smooth: 'smoothed bootstrap' }[draw],
    leastP: isAvailable(resampled) && form === 'counted' ? leastOf(resampled.distribution.length, alternative) : null,
  }
  const statistic = statisticAcross(samples)
  return statistic === undefined || form === 'published' || !isAvailable(resampled)
    ? ofUnits
    : crossedStatistic(samples, ofUnits, resampled, statistic, options)
}

function byPermutation(samples: Samples, { level, alternative, drawing }: InferenceOptions): Inference {
  const { control, candidate, pairedBy } = samples
  const sampling = { random: sourceOf(drawing).next, samples: drawing.resamples }
  const twoSidedLevel = alternative === 'two-sided' ? level : 2 * level - 1
  const interval =
    pairedBy === null
      ? permutationIndependentInterval(candidate, control, twoSidedLevel, sampling)
      : whenAvailable(pairedDifferences(candidate, control), found =>
          permutationPairedInterval(found, twoSidedLevel, sampling),
        )
  return {
    interval: whenAvailable(interval, ({ low, high }) => ({
      level,
      low: alternative === 'less' ? Number.NEGATIVE_INFINITY : low,
      high: alternative === 'greater' ? Number.POSITIVE_INFINITY : high,
    })),
    ...permutationP(samples, alternative, drawing),
  }
}

/** The p of rearranging the data: enumerated if possible, otherwise from random arrangements. */
export function permutationP(
  samples: Samples,
  alternative: Alternative,
  drawing: Drawing,
): Pick<Inference, 'p' | 'test' | 'leastP'> {
  const found = permutationTest(areWeighted(samples) ? scaledPairs(samples) : samples, drawing)
  return {
    p: whenAvailable(found, test => tailOf(test, alternative)),
    test: samples.pairedBy === null ? 'permutation' : 'sign-flip permutation',
    // Both sides are counted at once.
    leastP: isAvailable(found) && !found.isExact ? 1 / (found.permutations + 1) : null,
  }
}

function permutationTest({ control, candidate, pairedBy }: Samples, drawing: Drawing): Estimate<PermutationTest> {
  const sampling = { random: sourceOf(drawing).next, samples: drawing.resamples }
  return pairedBy === null
    ? permutationIndependent(candidate, control, sampling)
    : whenAvailable(pairedDifferences(candidate, control), found => permutationPaired(found, sampling))
}

function requireYesNo({ control, candidate }: Samples, method: Method): void {
  if (!isBinary(control) || !isBinary(candidate))
    throw new AssayError('usage', `the method ${method} is for values that are 0 or 1, and these are not`, {
      hint: 'leave --method out, or take t or studentized',
    })
}

/** The interval of shares whose end, or both ends, miss the truth with the probability that the level allows. */
function ofShares(
  { level, alternative }: InferenceOptions,
  intervalAt: (level: number) => Estimate<Interval>,
): Estimate<Interval> {
  return whenAvailable(intervalAt(alternative === 'two-sided' ? level : 2 * level - 1), ({ low, high }) => ({
    level,
    low: alternative === 'less' ? -1 : low,
    high: alternative === 'greater' ? 1 : high,
  }))
}

/** Yes or no: interval, test and margins by one test, so that they agree. */
function byScore(samples: Samples, options: InferenceOptions): Inference {
  requireYesNo(samples, 'score')
  const { alternative } = options
  const told = { test: 'unconditional score', leastP: null }
  if (samples.pairedBy === null) {
    const [candidate, control] = [countOf(samples.candidate), countOf(samples.control)]
    return {
      ...told,
      interval: ofShares(options, level => groupScoreInterval(candidate, control, level)),
      p: whenAvailable(groupScoreTest(candidate, control, { alternative }), ({ p }) => p),
    }
  }
  const counts = pairedCountsOf(samples.candidate, samples.control)
  return {
    ...told,
    interval: ofShares(options, level => pairedScoreInterval(counts, level)),
    p: whenAvailable(pairedScoreTest(counts, { alternative }), ({ p }) => p),
  }
}

function byCounting(samples: Samples, options: InferenceOptions): Inference {
  const { control, candidate, pairedBy } = samples
  const { alternative } = options
  requireYesNo(samples, 'newcombe')
  if (pairedBy !== null) {
    const counts = pairedCountsOf(candidate, control)
    const test = mcnemarTest(counts.onlyA, counts.onlyB)
    return {
      interval: ofShares(options, level => newcombePairedInterval(counts, level)),
      p: whenAvailable(test, ({ midP, exact }) =>
        alternative === 'two-sided'
          ? midP
          : exact[alternative] - binomialProbability(counts.onlyA, counts.onlyA + counts.onlyB, 0.5) / 2,
      ),
      test: 'McNemar mid-p',
      leastP: null,
    }
  }
  const test = fisherExactTest(countOf(candidate), countOf(control))
  return {
    interval: ofShares(options, level => newcombeInterval(countOf(candidate), countOf(control), level)),
    p: whenAvailable(test, found =>
      alternative === 'two-sided' ? found.midP : found[alternative] - found.observed / 2,
    ),
    test: 'Fisher mid-p',
    leastP: null,
  }
}

function tailOf(
  test: { readonly twoSided: number; readonly greater: number; readonly less: number },
  alternative: Alternative,
): number {
  return alternative === 'two-sided' ? test.twoSided : test[alternative]
}

/** The observed difference; none if an arm is empty. */
export function differenceOf(samples: Samples): Estimate<number> {
  const { control, candidate, across } = samples
  if (areWeighted(samples))
    return whenAvailable(weightedMean(candidate, 'candidate', samples.weighting), theirs =>
      whenAvailable(weightedMean(control, 'control', samples.weighting), ours => theirs - ours),
    )
  if (control.length === 0 || candidate.length === 0) return unavailable('no_data')
  const statistic = statisticAcross({ across })
  const of = (values: readonly number[]): number =>
    statistic === undefined ? meanOf(values) : statistic(Float64Array.from(values))
  const difference = of(candidate) - of(control)
  return Number.isFinite(difference) ? difference : unavailable('too_large')
}
