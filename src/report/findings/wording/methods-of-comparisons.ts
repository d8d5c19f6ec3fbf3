import type { Comparison } from '../../../analyze/compare/comparison.ts'
import { levelsOf } from '../../../analyze/levels.ts'
import { percentText } from '../../../analyze/numbers.ts'
import { counted, listed, unitWord } from '../../../analyze/words.ts'
import type { Evidence } from '../../../plan/evidence.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { Comparisons } from '../comparisons.ts'
import { filtered } from '../looked-at.ts'
import { type View, varyingFactors } from '../view.ts'
import { intervalName, isResampled } from './interval-names.ts'

/** How arms were compared: each sentence holds for all comparisons, or says for which. */
export function methodsOfComparisons(
  dataset: Dataset,
  view: View,
  { baseline, comparisons, chosenFrom }: Comparisons,
): readonly string[] {
  const [first] = comparisons
  if (first === undefined) return []
  const evidence = filtered(dataset.evidence, view.filter)
  return [
    `On ${view.metric}${first.summary === null ? '' : ` (${first.summary})`} we compared ${listed(comparisons.map(one => one.candidate))} with ${baseline}.${chosenFrom === undefined ? '' : ` These have the best means of ${chosenFrom} candidates.`}`,
    bySubject(comparisons, one => pairing(one, evidence))
      .map(asSentence)
      .join(' '),
    `Differences are those of means, candidate minus control, with ${percentText(1 - view.alpha)} confidence intervals (${bySubject(comparisons, intervalText).map(asPart).join('; ')}).`,
    `Test: ${bySubject(comparisons, testText).map(asPart).join('; ')}.`,
    decision(comparisons, view, chosenFrom ?? comparisons.length),
    families(comparisons, evidence, dataset),
    comparisons.some(({ effect }) => effect.ratio !== null && effect.ratio.low !== null)
      ? 'Intervals of ratios of means are Fieller’s.'
      : '',
    resampling(comparisons),
    missing(comparisons, dataset),
  ]
}

interface Part {
  readonly text: string
  /** null: it holds for all. */
  readonly of: string | null
}

/** What is said of each comparison, once for those of which the same is said. */
function bySubject(comparisons: readonly Comparison[], say: (one: Comparison) => string): readonly Part[] {
  const groups = Map.groupBy(comparisons, say)
  return [...groups].map(([text, own]) => ({
    text,
    of: groups.size === 1 ? null : listed(own.map(({ candidate }) => candidate)),
  }))
}

const asPart = ({ text, of }: Part): string => (of === null ? text : `${of}: ${text}`)

const asSentence = ({ text, of }: Part): string => (of === null ? text : `For ${of}: ${text}`)

function pairing({ pairing: found, unit, spread }: Comparison, evidence: Evidence): string {
  const word = unitWord(unit)
  const over = spread === null ? '' : ` ${averagedOver(found?.by ?? [], unit, evidence)}`
  return found === null
    ? `Arms were compared as independent groups.${over} The unit of analysis is the ${word}.`
    : `Arms were paired by ${listed(varying([...found.by], unit, evidence))}.${over} The unit of analysis is the ${word}.`
}

/** What several runs of a unit differ in: its repetitions, other blocks, or factors that are not compared. */
function averagedOver(by: readonly string[], unit: string, evidence: Evidence): string {
  const others = varying(by, unit, evidence).filter(name => name !== unit)
  const isRepeated = evidence.runs.some(({ replicate }) => replicate > 1)
  const over = [...others, ...(isRepeated ? ['repetitions'] : [])]
  const word = unitWord(unit)
  return over.length === 0
    ? `Several runs of a ${word} were averaged first.`
    : `Runs of the same ${word} were averaged over ${listed(over)} first.`
}

const varying = (names: readonly string[], unit: string, evidence: Evidence): readonly string[] =>
  names.filter(name => name === unit || levelsOf(evidence, name).length > 1)

const intervalText = ({ ci, reason }: Comparison): string =>
  ci === null ? `none could be made${reason === null ? '' : `, ${reason}`}` : intervalName(ci.method)

const testText = ({ p, p_reason, test }: Comparison): string =>
  p === null ? `none could be made${p_reason === null ? '' : `, ${p_reason}`}` : test

/** The rule was fixed before the data was seen: it is the same for every report. */
function decision(comparisons: readonly Comparison[], { alpha }: View, family: number): string {
  const [first] = comparisons
  const isCorrected = comparisons.some(one => one.p_adjusted !== null)
  const corrected = isCorrected ? `, corrected for ${family} comparisons (${first?.correction}),` : ''
  return `A candidate is called better or worse where p${corrected} is at most ${alpha}; all else is inconclusive, which does not mean equal.`
}

/** Which numbers were made stricter because several questions were asked, and which were not. */
function families(comparisons: readonly Comparison[], evidence: Evidence, { experiments }: Dataset): string {
  const hasBounds = comparisons.some(one => one.ci_simultaneous !== null)
  const intervals =
    comparisons.length < 2
      ? ''
      : `Intervals are not adjusted for their number${hasBounds ? '; the table of differences also has those that hold for all at once (Bonferroni)' : ''}.`
  const isPlan = experiments.every(({ search }) => search === null)
  const effects =
    isPlan && varyingFactors(evidence).length > 1
      ? 'Effects of all factors and their interactions are a family of their own, with p corrected together (holm).'
      : ''
  return [intervals, effects].filter(text => text !== '').join(' ')
}

function resampling(comparisons: readonly Comparison[]): string {
  const [drawn] = comparisons.filter(
    ({ ci, p, test, arms }) =>
      (p !== null && /bootstrap|permutation/.test(test)) ||
      [ci, arms.control.ci, arms.candidate.ci].some(one => one !== null && isResampled(one.method)),
  )
  return drawn === undefined
    ? ''
    : `Resampling drew ${drawn.resamples.toLocaleString('en-US')} samples with seed ${drawn.seed}.`
}

function missing(comparisons: readonly Comparison[], { experiments, evidence }: Dataset): string {
  const runs = new Set(
    comparisons.flatMap(({ missing: { control, candidate } }) => [...control, ...candidate]).map(({ run }) => run),
  )
  const planned = experiments.reduce((sum, { standing }) => sum + (standing?.planned ?? 0), 0)
  const unmatched = [...new Set(comparisons.flatMap(one => one.pairing?.unmatched ?? []))]
  const unit = unitWord(comparisons[0]?.unit ?? 'run')
  const without =
    runs.size > 0
      ? `${counted(runs.size, 'run')} without a value ${runs.size === 1 ? 'was' : 'were'} left out.`
      : planned > evidence.runs.length
        ? 'No run that ended lacked a value.'
        : 'No run lacked a value.'
  return unmatched.length === 0
    ? without
    : `${without} Left out for want of a partner: ${counted(unmatched.length, unit)} (${listed(unmatched)}).`
}
