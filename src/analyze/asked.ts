import type { StrataSpec, WeightsSpec } from '../define/experiment.ts'
import type { Evidence } from '../define/observation.ts'
import type { Alternative } from '../stats/index.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import { armsFor, bestCandidates, fewCandidates, mostCandidates } from './arms.ts'
import {
  type CandidateCorrection,
  type Correction,
  type Drawing,
  defaultDrawing,
  type Method,
  type Missing,
  type OtherTest,
} from './choices.ts'
import { type Compared, compareArms, type Question } from './compare/compare.ts'
import type { Comparison } from './compare/comparison.ts'
import { type Effects, type EffectsQuestion, effectsOf } from './effects/effects.ts'
import { comparisonProvenance, effectsProvenance, varianceProvenance } from './provenance/of-answers.ts'
import type { Provenance } from './provenance/provenance.ts'
import { type Reading, readingOf } from './reading.ts'
import { parseStatistic } from './statistic.ts'
import { type Variance, type VarianceQuestion, varianceReadings, variances } from './variance/variance.ts'

/**
 * What people ask of runs, by the names that the command line and the library share, and the answers as `--json` prints
 * them. Options that are not given have the defaults of the commands.
 */

/** What every question may say. */
export interface Asked {
  /** Default: the primary one, or the only one. */
  readonly metric?: string | undefined
  /** Which way is better, where the experiment does not say. */
  readonly goal?: Reading['goal'] | undefined
  /** How a series becomes a number; without it the recorded number counts. */
  readonly summary?: NonNullable<Reading['summary']> | undefined
  /** Levels of the variant that others are compared with. */
  readonly control?: JsonObject | undefined
  readonly unpaired?: boolean | undefined
  readonly missing?: Missing | undefined
  readonly method?: Method | undefined
  readonly alpha?: number | undefined
  readonly seed?: number | undefined
  readonly resamples?: number | undefined
  readonly rng?: Drawing['rng'] | undefined
  /** Which runs: it was applied to the evidence, and is told in the provenance. */
  readonly filter?: readonly string[] | undefined
}

export interface CompareAsked extends Asked {
  /** Levels of the variants to compare with the control; default: all others. */
  readonly candidate?: readonly JsonObject[] | undefined
  /** Only so many candidates, the best by their values. */
  readonly best?: number | undefined
  readonly side?: Alternative | undefined
  /** Metrics that decide together: p of each is corrected for all. */
  readonly family?: readonly string[] | undefined
  /** How much each unit counts: a name, or a weight for each. */
  readonly weights?: WeightsSpec | undefined
  readonly strata?: StrataSpec | undefined
  /** Where values can lie, for `missing: 'bounds'`: `0..100`. */
  readonly range?: string | undefined
  /** How much is too little to matter: `2pts`, `5%`, `0.1`. */
  readonly margin?: string | undefined
  readonly correction?: CandidateCorrection | undefined
  /** `median`, `trimmed:0.2`, … instead of means. */
  readonly statistic?: string | undefined
  readonly also?: readonly OtherTest[] | undefined
  readonly rliable?: boolean | undefined
  readonly tTest?: Question['tTest'] | undefined
}

export interface EffectsAsked extends Asked {
  readonly correction?: CandidateCorrection | undefined
}

export interface VarianceAsked
  extends Pick<Asked, 'metric' | 'summary' | 'alpha' | 'seed' | 'resamples' | 'rng' | 'filter'> {
  readonly slopeWindow?: Parameters<typeof varianceReadings>[1]['slopeWindow']
  /** As a share: 0.05 is 5%. */
  readonly threshold?: number | undefined
}

/** A document with where it came from. */
export type Told<T> = T & { readonly provenance: Provenance }

/** One comparison, or several together. */
export type ComparisonAnswer = Told<
  Comparison | { readonly kind: 'comparisons'; readonly comparisons: readonly Comparison[] }
>

export interface ComparedEvidence {
  readonly question: Question
  readonly compared: readonly Compared[]
  readonly provenance: Provenance
}

export function compareEvidence(evidence: Evidence, asked: CompareAsked): ComparedEvidence {
  const question = questionOf(evidence, asked)
  const compared = compareArms(evidence, question)
  return { question, compared, provenance: comparisonProvenance(evidence, question, compared, asked.filter) }
}

/** As one document: a single comparison stands for itself. */
export function oneOrSeveral<T extends Comparison>(comparisons: readonly T[], provenance: Provenance) {
  const [only] = comparisons
  return only !== undefined && comparisons.length === 1
    ? { ...only, provenance }
    : { kind: 'comparisons' as const, comparisons, provenance }
}

export type EffectsAnswer = Told<Effects & { readonly kind: 'effects' }>

export function effectsAnswer(evidence: Evidence, asked: EffectsAsked): EffectsAnswer {
  if (asked.missing === 'worst-rank' || asked.missing === 'bounds')
    throw new AssayError('usage', `--missing ${asked.missing} is for comparisons, and effects are averages of means`, {
      hint: `assay compare --missing ${asked.missing} compares one variant with others`,
    })
  const question: EffectsQuestion = {
    reading: readingOf(evidence, asked),
    isPaired: !asked.unpaired,
    missing: asked.missing ?? 'failed',
    method: asked.method ?? 'auto',
    alpha: asked.alpha ?? 0.05,
    alternative: 'two-sided',
    correction: correctionOfP(asked.correction),
    drawing: drawingOf(asked),
  }
  const effects = effectsOf(asked.control === undefined ? evidence : { ...evidence, baseline: asked.control }, question)
  return { kind: 'effects', ...effects, provenance: effectsProvenance(evidence, question, effects, asked.filter) }
}

export type VarianceAnswer = Told<Variance | { readonly kind: 'variances'; readonly variances: readonly Variance[] }>

export function varianceAnswer(
  evidence: Evidence,
  asked: VarianceAsked,
): { readonly all: readonly Variance[]; readonly answer: VarianceAnswer } {
  const { threshold = 0.05, alpha = 0.05 } = asked
  const question: VarianceQuestion = {
    readings: varianceReadings(evidence, asked),
    threshold,
    level: 1 - alpha,
    drawing: drawingOf(asked),
  }
  const all = variances(evidence, question)
  if (all.every(({ statistics }) => statistics.length === 0)) throw tooFew(all)
  const provenance = varianceProvenance(evidence, question, all, asked.filter)
  const [only] = all
  const answer =
    only !== undefined && all.length === 1
      ? { ...only, provenance }
      : { kind: 'variances' as const, variances: all, provenance }
  return { all, answer }
}

function tooFew(all: readonly Variance[]): AssayError {
  const reasons = all.flatMap(({ left_out }) => left_out.map(({ run, reason }) => `${run}: ${reason}`))
  const variants = all.length === 1 ? '' : ` in any of ${all.length} variants`
  const hint =
    reasons.length > 0
      ? `left out: ${reasons.slice(0, 5).join('; ')}${reasons.length > 5 ? `; and ${reasons.length - 5} more` : ''}`
      : all.length > 1
        ? 'runs that differ in a factor are no repetitions of each other; give several seeds or replicates of one variant'
        : 'variation shows between runs: run more seeds'
  return new AssayError('usage', `it takes two usable runs to see how they differ, and there are not${variants}`, {
    hint,
  })
}

/** The question that is asked of the evidence. */
function questionOf(evidence: Evidence, asked: CompareAsked): Question {
  // A metric that nobody has is a mistake whatever the arms are, and said before them.
  const reading = readingOf(evidence, asked)
  return {
    ...chosenArms(armsFor(evidence, { control: asked.control, candidates: asked.candidate }), reading, asked),
    reading,
    ...(asked.statistic === undefined ? {} : { statistic: parseStatistic(asked.statistic) }),
    ...(asked.also === undefined ? {} : { also: asked.also }),
    rliable: asked.rliable ?? false,
    weights: asked.weights ?? evidence.declared?.weights,
    family: familyIn(asked, evidence),
    strata: asked.strata ?? evidence.declared?.strata,
    isPaired: !asked.unpaired,
    missing: asked.missing ?? evidence.declared?.missing ?? 'failed',
    method: asked.method ?? 'auto',
    alpha: asked.alpha ?? 0.05,
    alternative: asked.side ?? 'two-sided',
    margin: asked.margin ?? null,
    correction: asked.correction ?? 'holm',
    drawing: drawingOf(asked),
    ...(asked.tTest === undefined ? {} : { tTest: asked.tTest }),
  }
}

/** A family that is asked for must hold the metric: correcting for others alone would mean nothing. */
function familyIn(asked: CompareAsked, evidence: Evidence): readonly string[] | undefined {
  const { family } = asked
  if (family === undefined) return evidence.declared?.family
  const { metric } = readingOf(evidence, asked)
  if (!family.includes(metric))
    throw new AssayError('usage', `--family ${family.join()} does not hold the metric ${metric}`, {
      hint: '--metric names one of them',
    })
  return family
}

type Arms = Pick<Question, 'control' | 'candidates' | 'chosenFrom'>

/** The candidates that were asked for; where nobody chose, no more than can be read. */
function chosenArms(arms: Arms, reading: Reading, { best, candidate, correction }: CompareAsked): Arms {
  const all = arms.candidates.length
  const most = best ?? (candidate === undefined && all > mostCandidates ? fewCandidates : all)
  if (most >= all) return arms
  if (correction === 'max-t')
    throw new AssayError(
      'usage',
      best === undefined
        ? `--correction max-t needs the values of all ${all} candidates, and more than ${mostCandidates} are not compared one by one`
        : '--correction max-t needs the values of all candidates, and --best leaves some out',
      { hint: '--correction holm works with the best of them' },
    )
  return { ...arms, candidates: bestCandidates(arms.candidates, reading, most), chosenFrom: all }
}

/** For questions that share no control: nothing could be drawn together. */
export function correctionOfP(correction: CandidateCorrection = 'holm'): Correction {
  if (correction === 'max-t')
    throw new AssayError('usage', '--correction max-t is for candidates that share a control, in compare', {
      hint: 'give holm, hochberg, bonferroni, bh, by or none',
    })
  return correction
}

export function drawingOf({ seed, resamples, rng }: Pick<Asked, 'seed' | 'resamples' | 'rng'>): Drawing {
  return {
    seed: seed ?? defaultDrawing.seed,
    resamples: resamples ?? defaultDrawing.resamples,
    rng: rng ?? defaultDrawing.rng,
  }
}
