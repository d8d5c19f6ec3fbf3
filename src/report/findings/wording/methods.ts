import { levelsOf } from '../../../analyze/arms.ts'
import { defaultDrawing } from '../../../analyze/choices.ts'
import type { Comparison } from '../../../analyze/compare/compare.ts'
import { possibleMeans, type Reading } from '../../../analyze/reading.ts'
import type { SearchSpec } from '../../../define/experiment.ts'
import type { Evidence } from '../../../define/observation.ts'
import { type OrReason, orReason } from '../../../util/errors.ts'
import { counted, listed, percentText, plainNumber, plural, unitWord } from '../../../util/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { Comparisons } from '../comparisons.ts'
import { type BestFound, bestFoundOf } from '../search.ts'
import { filtered, type View, varyingFactors, viewedRuns } from '../view.ts'
import { design, machine, onlySome, order } from './design-words.ts'

/** What was done, as a paragraph for a paper: everything that affects the numbers, and nothing else. */
export function methodsOf(dataset: Dataset, view: View, compared: OrReason<Comparisons>): string {
  return [
    design(dataset),
    order(dataset),
    onlySome(dataset, view),
    machine(dataset),
    ...methodsOfSearch(dataset, view),
    ...('found' in compared ? methodsOfComparisons(dataset, view, compared.found) : []),
  ]
    .filter(sentence => sentence !== '')
    .join(' ')
}

/** How arms were compared: each sentence holds for all comparisons, or says for which. */
function methodsOfComparisons(
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
    weighting(comparisons),
    `Differences are those of ${listed([...new Set(comparisons.map(measureText))])}, candidate minus control, with ${percentText(1 - view.alpha)} confidence intervals (${bySubject(comparisons, intervalText).map(asPart).join('; ')}).`,
    cutAtRange(comparisons, viewedRuns(dataset, view).reading),
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

/** The text for each comparison; comparisons with the same text share one. */
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
  const isSingle = spread === null && varying(found?.by ?? [], unit, evidence).every(name => name === unit)
  const over = isSingle ? '' : ` ${averagedOver(found?.by ?? [], unit, evidence)}`
  return found === null
    ? `Arms were compared as independent groups.${over} The unit of analysis is the ${word}.`
    : `Arms were paired by ${listed(varying([...found.by], unit, evidence))}.${over} The unit of analysis is the ${word}.`
}

/** The difference between several runs of a unit: its repetitions, other blocks, or factors that are not compared. */
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

const measureText = ({ statistic, weighting: found }: Comparison): string =>
  statistic === 'wins' ? 'the shares of comparisons won and lost' : found === null ? 'means' : 'weighted means'

/** Why some units count more than others; empty if all count equally. */
function weighting(comparisons: readonly Comparison[]): string {
  const weighted = comparisons.filter(one => one.weighting !== null)
  return bySubject(weighted, ({ weighting: found, unit }) => {
    const units = plural(unitWord(unit))
    const { weights = null, strata = null } = found ?? {}
    return [
      ...(weights === null ? [] : [`The ${units} are weighted by ${weights}.`]),
      ...(strata === null
        ? []
        : [
            `The ${units} are stratified, and each stratum counts with its share: ${strata.map(({ stratum, share }) => `${stratum} ${percentText(share)}`).join(', ')}.`,
          ]),
      ...(found === null
        ? []
        : [`They carry as much information as ${plainNumber(found.effective_units)} of equal weight.`]),
    ].join(' ')
  })
    .map(asSentence)
    .join(' ')
}

const intervalText = ({ ci, reason }: Comparison): string =>
  ci === null ? `none could be made${reason === null ? '' : `, ${reason}`}` : intervalName(ci.method)

/** Formulas for numbers know no range. Said only where it makes a difference. */
function cutAtRange(comparisons: readonly Comparison[], reading: Reading): string {
  const [least, most] = comparisons.some(one => one.yes_no) ? [0, 1] : possibleMeans(reading)
  if (!Number.isFinite(most - least)) return ''
  const isCut = comparisons.some(
    ({ ci, arms }) =>
      (ci !== null && ci.method !== 'score' && (ci.low === least - most || ci.high === most - least)) ||
      [arms.control.ci, arms.candidate.ci].some(
        one => one !== null && !one.method.startsWith('wilson') && (one.low === least || one.high === most),
      ),
  )
  return isCut ? `Intervals end where the possible values do: from ${least} to ${most} for each arm.` : ''
}

const testText = ({ p, p_reason, test }: Comparison): string =>
  p === null ? `none could be made${p_reason === null ? '' : `, ${p_reason}`}` : test

/** The rule was fixed before the data was seen: it is the same for every report. */
function decision(comparisons: readonly Comparison[], { alpha }: View, family: number): string {
  const [first] = comparisons
  const isCorrected = comparisons.some(one => one.p_adjusted !== null)
  const together =
    first?.family == null
      ? `${family} comparisons`
      : `${first.family.tests} tests of ${listed(first.family.metrics)}, which decide together`
  const corrected = isCorrected ? `, corrected for ${together} (${first?.correction}),` : ''
  return `A candidate is called better or worse where p${corrected} is at most ${alpha}; all else is inconclusive, which does not mean equal.`
}

/** Which numbers were made stricter because several questions were asked, and which were not. */
function families(comparisons: readonly Comparison[], evidence: Evidence, { experiments }: Dataset): string {
  const hasBounds = comparisons.some(one => one.ci_simultaneous !== null)
  const intervals =
    comparisons.length < 2 && !hasBounds
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
      // Signs of constant values are counted, not drawn.
      (p !== null && ci !== null && /bootstrap|permutation/.test(test)) ||
      [ci, arms.control.ci, arms.candidate.ci].some(one => one !== null && isResampled(one.method)),
  )
  return drawn === undefined
    ? ''
    : `Resampling drew ${drawn.resamples.toLocaleString('en-US')} samples with seed ${drawn.seed}.`
}

function missing(comparisons: readonly Comparison[], { experiments, evidence }: Dataset): string {
  const lost = comparisons.flatMap(({ missing: { control, candidate } }) => [...control, ...candidate])
  const rule = comparisons[0]?.missing.rule ?? 'failed'
  const planned = experiments.reduce((sum, { standing }) => sum + (standing?.planned ?? 0), 0)
  const unmatched = [...new Set(comparisons.flatMap(one => one.pairing?.unmatched ?? []))]
  const unit = unitWord(comparisons[0]?.unit ?? 'run')
  const without =
    lost.length > 0
      ? lostText(rule, lost)
      : planned > evidence.runs.length
        ? 'No run that ended lacked a value.'
        : 'No run lacked a value.'
  return unmatched.length === 0
    ? without
    : `${without} Left out because they have no partner: ${counted(unmatched.length, unit)} (${listed(unmatched)}).`
}

/** How runs without a value were treated: each once, however many comparisons it is part of. */
function lostText(rule: Comparison['missing']['rule'], lost: Comparison['missing']['control']): string {
  const told = (runs: Comparison['missing']['control'], fate: readonly [one: string, several: string]): string => {
    const { size } = new Set(runs.map(({ run }) => run))
    return size === 0
      ? ''
      : `${counted(size, 'run')} without a value ${fate[size === 1 ? 0 : 1]}${rule === 'failed' ? '' : ` (rule: ${rule})`}.`
  }
  if (rule === 'zero') return told(lost, ['counts as 0', 'count as 0'])
  if (rule === 'bounds') {
    const whatever = 'left open: intervals and verdicts hold whatever would have come of'
    return told(lost, [`is ${whatever} it`, `are ${whatever} them`])
  }
  const [worst, others] = [true, false].map(isWorst => lost.filter(one => (one.counts_as === 'worst') === isWorst))
  return [
    told(worst ?? [], ['counts as worse than every value', 'count as worse than every value']),
    told(others ?? [], ['was left out', 'were left out']),
  ]
    .filter(text => text !== '')
    .join(' ')
}

/** What was searched for and how, and the limits of its intervals; empty without a search. */
function methodsOfSearch(dataset: Dataset, view: View): readonly string[] {
  const facts = dataset.experiments.find(one => one.search !== null)
  const search = facts?.search ?? null
  if (search === null) return []
  const best = orReason(() => bestFoundOf(dataset, view))
  const seed = search.seed ?? facts?.definition?.seed ?? null
  return [
    objective(search, seed),
    ...('found' in best && best.found !== null ? ranking(best.found, view) : []),
    'Importances, where there are any, are shares of the variance over the space, by functional analysis of variance on a random forest of what was tried.',
  ]
}

function objective(
  { method, metric, goal, also, max_runs, early_stop, value, counts: unit }: SearchSpec,
  seed: number | null,
): string {
  const aims = [{ metric, goal }, ...also].flatMap(one =>
    one.metric === null ? [] : [`${one.goal === 'minimize' ? 'minimise' : 'maximise'} ${one.metric}`],
  )
  const aim = aims.length === 0 ? 'had no objective' : `was to ${aims.join(' and to ')}`
  const counts = value === 'best' ? ', of each run the best value that it reported' : ''
  const most = max_runs === null ? '' : `, with at most ${max_runs} ${unit ?? 'runs'}`
  const stopped =
    early_stop === null
      ? ''
      : ` ${unit === 'variants' ? 'Variants were given up' : 'Runs were stopped'} early (${'name' in early_stop ? early_stop.name : early_stop.type}).`
  const over = unit === 'variants' ? ', where the value of a variant is the mean over its finished runs' : ''
  return `The ${method} search${seed === null ? '' : ` (seed ${seed})`} ${aim}${counts}${over}${most}.${stopped}`
}

/** The caveat that no interval of the winner can include. */
function ranking({ best, metric, isBestReported }: BestFound, { alpha }: View): readonly string[] {
  const ci = best[0]?.result.ci ?? null
  const counts = isBestReported ? ' (of each run the best it reported)' : ''
  const drawn =
    ci !== null && isResampled(ci.method)
      ? ` Resampling drew ${defaultDrawing.resamples.toLocaleString('en-US')} samples with seed ${defaultDrawing.seed}.`
      : ''
  return [
    `Variants are ranked by their mean ${metric}${counts} over as many completed runs each.`,
    ci === null
      ? 'The best has no interval.'
      : `Intervals are of each variant alone (${percentText(1 - alpha)}; of the best: ${intervalName(ci.method)}), and not adjusted for the number of variants or for having chosen the best: its value is flattered by chance.${drawn}`,
  ]
}

/** A method as a paper calls it. */
const intervalName = (method: string): string => names[method] ?? method

const names: Readonly<Record<string, string>> = {
  t: 'Student’s t',
  wider: 'the wider of Student’s t and the studentised bootstrap',
  widest: 'the widest of Student’s t, a permutation of it and, from 7 units on, the studentised bootstrap',
  studentized: 'studentised bootstrap',
  newcombe: 'Newcombe’s method for shares',
  score: 'the unconditional score test (summed over all outcomes)',
  permutation: 'permutation',
  wilson: 'Wilson’s method for shares',
  'wilson on the effective size': 'Wilson’s method for shares, on the effective number of runs',
  'clustered t': 'Student’s t with clustered errors',
}

/** Whether the bounds depend on drawn samples. */
const isResampled = (method: string): boolean => !byFormula.includes(method)

const byFormula: readonly string[] = ['t', 'newcombe', 'score', 'wilson', 'wilson on the effective size', 'clustered t']
