import { type Evidence, runsNotMade } from '../../define/observation.ts'
import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../stats/estimate.ts'
import { groupScoreTest, type Interval, smallestPairedP, smallestTwoGroupP } from '../../stats/index.ts'
import { chanceText, counted, listed, percentText, unitWord } from '../../util/words.ts'
import type { Arm } from '../arms.ts'
import type { Method } from '../choices.ts'
import { describeSummary, possibleMeans, wordsFor } from '../reading.ts'
import type { ArmSamples, Samples } from '../samples.ts'
import { statisticText, theMean } from '../statistic.ts'
import { weightingFinding } from '../units/weighting.ts'
import { boundsOf, type Comparison, type Draft, type TestResult } from './comparison.ts'
import { armSummary } from './describe/arm-summary.ts'
import { averagedFactors, splitByLevel } from './describe/by-level.ts'
import { designOf, designWarnings } from './describe/design.ts'
import { effectSizes, pairingOf } from './describe/effects.ts'
import { largestDifference, withinLargest } from './describe/possible-difference.ts'
import { rliableOf } from './describe/rliable.ts'
import { spreadOf } from './describe/spread.ts'
import { detectableDifference, detectableMean, detectableShare, mostListed } from './infer/detectable.ts'
import { equivalenceOf, marginOf } from './infer/equivalence.ts'
import { type Inference, isAtFloor } from './infer/infer.ts'
import type { Joint } from './infer/max-t.ts'
import { otherTests } from './infer/other-tests.ts'
import { tTestOf } from './infer/t-test.ts'
import { controlValues } from './infer/weighted.ts'
import { equivalenceWithin, estimateOf, inferenceOf, largestOf } from './infer/within-bounds.ts'
import { arePermuted, methodFor } from './method.ts'
import { tailWarnings } from './one-long-tail.ts'
import { candidatesTried, familyOf, otherMetrics, type Question } from './question.ts'
import { warningsFor } from './warnings.ts'

/** Compares one candidate with the control: everything but the conclusion. */
export function draftOf(
  evidence: Evidence,
  question: Question,
  candidate: Arm,
  samples: ArmSamples,
  joint: Joint | undefined,
): Draft {
  const { control, reading, missing, alpha, alternative, drawing, statistic = theMean } = question
  const whole = largestOf(samples)
  const method = question.method === 'auto' ? methodFor(whole) : question.method
  const level = 1 - alpha
  const arm = {
    method: question.method,
    level,
    drawing,
    isRate: samples.isYesNo && !('k' in statistic),
    range: possibleMeans(reading),
  }
  const inference = inferenceOf(samples, method, { level, alternative, drawing })
  const { p, test } = inference
  const others = samples.extremes === undefined ? otherTests(samples, test, question) : []
  const interval = whenAvailable(inference.interval, bounds =>
    withinLargest(bounds, largestDifference(samples, reading)),
  )
  const estimate = estimateOf(samples)
  // Winning is better, whatever the metric's goal.
  const goal = samples.isRanked ? 'maximize' : reading.goal
  const primary = evidence.metrics.find(metric => metric.primary)?.name ?? null
  const together =
    joint === undefined
      ? simultaneous(samples, method, question)
      : jointBounds(interval, joint, largestDifference(samples, reading))
  const margin = question.margin === null ? null : marginOf(question.margin, controlValues(samples))
  const atMargin =
    margin === null
      ? null
      : equivalence(samples, method, {
          margin,
          goal,
          alpha,
          drawing,
          family: question.correction === 'none' ? 1 : candidatesTried(question),
        })
  const smallest = smallestP(whole)
  const reason = isAvailable(interval) ? null : wordsFor(interval.unavailable)
  return {
    metric: reading.metric,
    goal,
    primary_metric: primary,
    exploratory: primary !== null && primary !== reading.metric && otherMetrics(question).length === 0,
    family: otherMetrics(question).length === 0 ? null : { metrics: question.family ?? [], tests: familyOf(question) },
    summary: question.summarised ?? (reading.summary === null ? null : describeSummary(reading.summary)),
    statistic: samples.isRanked ? 'wins' : statisticText(statistic),
    yes_no: samples.isYesNo,
    control: control.label,
    candidate: candidate.label,
    side: alternative,
    estimate: valueOrNull(estimate),
    ci: isAvailable(interval)
      ? { ...boundsOf(interval), method: method === 'wider' && arePermuted(whole) ? 'widest' : method }
      : null,
    p: valueOrNull(p),
    p_is_bound: isAtFloor(inference),
    p_reason: isAvailable(p) ? null : wordsFor(p.unavailable),
    test,
    p_adjusted: null,
    correction: familyOf(question) > 1 ? question.correction : 'none',
    ci_simultaneous: together,
    other_tests: others,
    effect: effectSizes(samples, level),
    n: {
      control: whole.control.length,
      candidate: whole.candidate.length,
      pairs: whole.pairedBy === null ? null : whole.control.length,
      dropped: samples.extremes === undefined ? samples.left_out : 0,
    },
    missing: {
      rule: missing,
      control: samples.dropped.control,
      candidate: samples.dropped.candidate,
      bounds: samples.bounds,
      not_run: runsNotMade(evidence),
    },
    arms: {
      control: armSummary(samples, 'control', arm),
      candidate: armSummary(samples, 'candidate', arm),
    },
    pairing: pairingOf(samples),
    spread: spreadOf(samples, averagedFactors(evidence, control, candidate)),
    rliable: question.rliable ? rliableOf(samples, { level, drawing, goal: reading.goal }) : null,
    unit: samples.unit,
    weighting: samples.weighting === undefined ? null : weightingFinding(samples.weighting),
    design: designOf(samples),
    equivalence: atMargin,
    by_level: splitByLevel(evidence, question, candidate, samples),
    ...foundable(
      interval,
      together,
      estimate,
      samples,
      method,
      question,
      isAvailable(p) && samples.extremes === undefined,
      smallest,
    ),
    smallest_p: smallest,
    t_test: question.tTest === undefined ? null : tTestOf(samples, { level, alternative, ...question.tTest }),
    warnings: [
      ...chosenBest(question),
      ...floorWarnings(inference, question),
      ...warningsFor({ evidence, control, candidate, reading, samples, missing, statistic, alpha }),
      ...designWarnings(samples, method, statisticText(statistic)),
      ...sizeWarnings(whole, smallest, alpha),
      ...tailWarnings(
        whole,
        method,
        { estimate: valueOrNull(estimate), p: valueOrNull(p), equivalence: atMargin, goal },
        alpha,
      ),
      ...(smallest > alpha
        ? []
        : disagreement({ test, p: valueOrNull(p), p_is_bound: isAtFloor(inference) }, others, alpha)),
    ],
    reason,
    seed: drawing.seed,
    resamples: drawing.resamples,
  }
}

/** The smallest p that a distribution-free test can give with this many units. */
function smallestP({ control, candidate, pairedBy, isCounted }: Samples): number {
  if (pairedBy !== null) return smallestPairedP(control.length)
  if (!isCounted) return smallestTwoGroupP(candidate.length, control.length)
  const all = { successes: candidate.length, n: candidate.length }
  const test = groupScoreTest(all, { successes: 0, n: control.length })
  return isAvailable(test) ? test.p : 1
}

function equivalence(
  samples: ArmSamples,
  method: Exclude<Method, 'auto'>,
  options: Parameters<typeof equivalenceOf>[2],
): Comparison['equivalence'] {
  const of = (one: Samples) => equivalenceOf(one, method, options)
  return samples.extremes === undefined ? of(samples) : equivalenceWithin(samples.extremes, of)
}

/** Each at the level that keeps all of them valid together. */
function simultaneous(
  samples: ArmSamples,
  method: Exclude<Method, 'auto'>,
  question: Question,
): Comparison['ci_simultaneous'] {
  const { correction, alpha, alternative, drawing } = question
  const family = familyOf(question)
  if (family < 2 || correction === 'none') return null
  const { interval } = inferenceOf(samples, method, { level: 1 - alpha / family, alternative, drawing })
  return isAvailable(interval) ? boundsOf(withinLargest(interval, largestDifference(samples, question.reading))) : null
}

/** Never narrower than the candidate's own interval. */
function jointBounds(
  interval: Estimate<Interval>,
  { interval: together }: Joint,
  largest: number,
): Comparison['ci_simultaneous'] {
  if (!isAvailable(interval) || together === null) return null
  const { level } = interval
  const widest = { level, low: Math.min(interval.low, together.low), high: Math.max(interval.high, together.high) }
  return boundsOf(withinLargest(widest, largest))
}

/**
 * The difference that would have been found, by the power of the test itself; for medians, wins and methods other than
 * t and wider, by the interval that decides the verdict.
 */
function foundable(
  interval: Estimate<Interval>,
  together: Comparison['ci_simultaneous'],
  estimate: Estimate<number>,
  samples: ArmSamples,
  method: Method,
  question: Question,
  isTested: boolean,
  smallest: number,
): Pick<Comparison, 'detectable' | 'undetectable'> {
  const { alpha, alternative, correction } = question
  const family = correction === 'none' ? 1 : familyOf(question)
  const units = Math.max(samples.control.length, samples.candidate.length)
  if (isTested && samples.isCounted && method === 'score' && units <= mostListed) {
    const detectable = detectableShare(samples, { alpha: alpha / family, alternative })
    return { detectable, undetectable: detectable === null }
  }
  // A test that counts arrangements finds nothing with too few units.
  const isTooFew = counting.includes(method) && smallest > alpha
  if (!isTested || isTooFew || !isAvailable(interval) || !isAvailable(estimate))
    return { detectable: null, undetectable: false }
  const { level, low, high } = together ?? interval
  const bounds = { level, low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY }
  const largest = largestDifference(samples, question.reading)
  // Wins are no values that a difference is added to.
  const ofMeans = (method === 't' || method === 'wider') && samples.across === undefined && !samples.isRanked
  const df = samples.control.length - 1 + (samples.pairedBy === null ? samples.candidate.length - 1 : 0)
  return ofMeans
    ? detectableMean(samples, method, bounds, { alpha: alpha / family, alternative, largest })
    : { detectable: detectableDifference(bounds, estimate, { largest, df }), undetectable: false }
}

/** The best of many looks better than it is. */
function chosenBest({ candidates, chosenFrom = 0, correction }: Question): readonly string[] {
  if (chosenFrom <= candidates.length) return []
  const corrected = correction === 'none' ? 'p is not corrected for that' : `p is corrected for all ${chosenFrom}`
  return [
    `these are the best ${candidates.length} of ${chosenFrom} candidates, chosen by the same values: ${corrected}, but their differences are overestimated. Runs on new blocks (other seeds or tasks) of these alone would show the true ones`,
  ]
}

/** The smallest p that this many resamples can give may be too large, if the tail beyond them is unknown. */
function floorWarnings(inference: Inference, question: Question): readonly string[] {
  const { alpha, correction, drawing } = question
  const { p, leastP } = inference
  const family = correction === 'none' ? 1 : familyOf(question)
  if (!isAvailable(p) || leastP === null || !isAtFloor(inference) || p < leastP * (1 - 1e-9) || p * family <= alpha)
    return []
  const enough = 1e4 * Math.ceil((drawing.resamples * p * family) / alpha / 1e4)
  const corrected = family > 1 ? ` once it is corrected for ${family} candidates` : ''
  return [
    `${drawing.resamples} resamples give no p below ${p.toPrecision(2)}, which is above ${alpha}${corrected}: the difference may be clear and not be called so. --resamples ${enough} can give a smaller p, and so can another --method for means (t, wider), whose tail is known`,
  ]
}

function sizeWarnings(samples: Samples, smallest: number, alpha: number): readonly string[] {
  const n = Math.min(samples.control.length, samples.candidate.length)
  if (n < 2)
    return [n === 1 ? 'one value says nothing about how much values vary: run more' : 'an arm has no value at all']
  if (smallest > alpha)
    return [
      `${sizeText(samples)} can't give a p below ${smallest.toPrecision(2)} in a distribution-free test: run more`,
    ]
  return n < 10
    ? [`${sizeText(samples)} are few: the level of the interval is only roughly ${percentText(1 - alpha)}`]
    : []
}

/** The verdict follows one test, chosen beforehand; the reader should know if another disagrees. */
function disagreement(own: TestResult, others: readonly TestResult[], alpha: number): readonly string[] {
  const isShown = (p: number): boolean => p <= alpha
  const told = ({ test, p, p_is_bound }: TestResult): string => `${chanceText(p ?? 1, p_is_bound)} by ${test}`
  const unlike = others.filter(({ p }) => own.p !== null && p !== null && isShown(p) !== isShown(own.p))
  return unlike.length === 0
    ? []
    : [
        `the tests fall on both sides of ${alpha}: ${told(own)}, which the verdict goes by, but ${listed(unlike.map(told))}`,
      ]
}

function sizeText({ control, candidate, pairedBy, unit }: Samples): string {
  const word = unitWord(unit)
  if (pairedBy !== null)
    return unit === 'pair' ? counted(control.length, word) : `${counted(control.length, word)} in pairs`
  return `${candidate.length} against ${counted(control.length, word)}`
}

const counting: readonly Method[] = ['permutation', 'newcombe', 'score']
