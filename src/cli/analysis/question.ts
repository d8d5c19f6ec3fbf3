import { armsFor, bestCandidates, fewCandidates, mostCandidates } from '../../analyze/arms.ts'
import type { Correction } from '../../analyze/choices.ts'
import type { Question } from '../../analyze/compare/compare.ts'
import { type Drawing, defaultDrawing } from '../../analyze/compare/method.ts'
import { defaultSummary, type Reading, readingOf } from '../../analyze/reading.ts'
import { parseStatistic } from '../../analyze/statistic.ts'
import type { Evidence } from '../../plan/evidence.ts'
import { AssayError } from '../../util/errors.ts'
import type { Options } from '../options.ts'
import { namesRuns } from './named-runs.ts'
import { summaryOption } from './summary-option.ts'

/** The question that the options ask of the evidence. */
export function questionOf(evidence: Evidence, options: Options): Question {
  const alpha = options.alpha ?? 0.05
  // A metric that nobody has is a mistake whatever the arms are, and said before them.
  const reading = readingOption(evidence, options)
  return {
    ...chosenArms(armsFor(evidence, { control: options.control, candidates: options.candidate }), reading, options),
    reading,
    ...(options.statistic === undefined ? {} : { statistic: parseStatistic(options.statistic) }),
    ...(options.also === undefined ? {} : { also: options.also }),
    rliable: options.rliable ?? false,
    isPaired: !options.unpaired,
    missing: options.missing ?? 'failed',
    method: options.method ?? 'auto',
    alpha,
    alternative: options.side ?? 'two-sided',
    margin: options.margin ?? null,
    correction: options.correction ?? 'holm',
    drawing: drawingOption(options),
    ...(isOn(options.ttestEnabled) ? { tTest: { assumptionAlpha: options.ttestAssumptionAlpha ?? 0.05 } } : {}),
  }
}

type Arms = Pick<Question, 'control' | 'candidates' | 'chosenFrom'>

/** The candidates that were asked for; where nobody chose, no more than can be read. */
function chosenArms(arms: Arms, reading: Reading, { best, candidate, correction }: Options): Arms {
  const all = arms.candidates.length
  if (best !== undefined && best < all) {
    if (correction === 'max-t')
      throw new AssayError(
        'usage',
        '--correction max-t needs the values of all candidates, and --best leaves some out',
        {
          hint: '--correction holm works with --best',
        },
      )
    return { ...arms, candidates: bestCandidates(arms.candidates, reading, best), chosenFrom: all }
  }
  if (best === undefined && candidate === undefined && all > mostCandidates)
    throw new AssayError(
      'usage',
      `${all} candidates are too many to compare with ${arms.control.label} one by one (at most ${mostCandidates})`,
      {
        hint: `--best ${fewCandidates} compares the best ${fewCandidates}; --candidate names one (repeatable); assay analyze ranks all variants; assay effects says how much each factor matters`,
      },
    )
  return arms
}

/** For questions that share no control: nothing could be drawn together. */
export function pCorrectionOption({ correction = 'holm' }: Options): Correction {
  if (correction === 'max-t')
    throw new AssayError('usage', '--correction max-t is for candidates that share a control, in compare', {
      hint: 'give holm, hochberg, bonferroni, bh, by or none',
    })
  return correction
}

/** Switches of the original pipeline are written out: `--ttest.enabled true`. */
export const isOn = (text: string | undefined): boolean => text !== undefined && /^(true|yes|1|on)$/i.test(text)

/** Of runs that are named one by one a series is summed up as the original pipeline does; of others, the recorded number counts. */
export function readingOption(evidence: Evidence, options: Options): Reading {
  const summary = summaryOption(options) ?? (namesRuns(options) ? defaultSummary : undefined)
  return readingOf(evidence, { metric: options.metric, summary, goal: options.goal })
}

export function drawingOption({ seed, resamples, rng }: Options): Drawing {
  if (seed !== undefined && !/^\d{1,15}$/.test(seed))
    throw new AssayError('usage', `--seed: expected a whole number, 0 or more, got "${seed}"`)
  return {
    seed: seed === undefined ? defaultDrawing.seed : Number(seed),
    resamples: resamples ?? defaultDrawing.resamples,
    rng: rng ?? defaultDrawing.rng,
  }
}

/** Series are large: only the one that is asked for is read, and all where nobody said which. */
export const seriesWanted = ({ metric }: Options): 'all' | readonly string[] =>
  metric === undefined ? 'all' : [metric]
