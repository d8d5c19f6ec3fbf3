import { armNames } from '../../analyze/arms.ts'
import { defaultDrawing } from '../../analyze/choices.ts'
import { type Comparison, intervalOfVerdict } from '../../analyze/compare/compare.ts'
import { type PicturedNumbers, resampledDifferences, shapesOf } from '../../analyze/compare/pictured.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import { percentText, plainNumber, plural, unitWord, writingOf } from '../../util/words.ts'
import type { Comparisons } from '../findings/comparisons.ts'
import {
  drawnIn,
  type Figure,
  type FigureColumn,
  type FigureTable,
  pWriting,
  rangeOf,
  times,
  unitOf,
  valueWriting,
} from './figure.ts'

/** Each arm's mean, by itself. */
export function armsFigure({ comparisons }: Comparisons): Figure {
  const [first] = comparisons
  const metric = first?.metric ?? ''
  const isYesNo = comparisons.every(one => one.yes_no)
  const arms =
    first === undefined
      ? []
      : [
          { label: first.control, isBaseline: true, ...first.arms.control },
          ...comparisons.map(one => ({ label: one.candidate, isBaseline: false, ...one.arms.candidate })),
        ]
  const nameOf = armNames(arms.map(({ label }) => label))
  const drawn = drawnIn(
    metric,
    isYesNo,
    arms.map(({ mean }) => mean),
  )
  const write = valueWriting(
    metric,
    isYesNo,
    arms.map(({ mean }) => mean),
  )
  const level = percentText(first?.ci?.level ?? 0.95)
  const unit = plural(unitWord(first?.unit ?? 'run'))
  return {
    id: 'estimates',
    title: `${named(first)} of each arm`,
    caption: `The mean over ${unit}, with its ${level} confidence interval.${(first?.pairing ?? null) !== null ? ' Paired differences are known better than these intervals suggest: they are below.' : ''}`,
    draw: options =>
      drawChart(
        'estimates',
        {
          metric: named(first),
          of: 'each arm',
          ...unitOf(drawn),
          statistic: 'mean',
          intervalLabel: `${level} CI`,
          rows: arms.map(arm => ({
            label: nameOf(arm.label),
            n: arm.n,
            isBaseline: arm.isBaseline,
            value: times(arm.mean, drawn.factor),
            interval: rangeOf(arm.ci, drawn.factor),
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'arm' },
        { name: unit, write: String },
        { name: 'mean', write },
        { name: 'sd', write: plainNumber },
        { name: `${level} CI low`, write },
        { name: `${level} CI high`, write },
      ],
      rows: arms.map(({ label, n, mean, sd, ci }) => [label, n, mean, sd, ci?.low ?? null, ci?.high ?? null]),
    },
  }
}

/** Each arm minus the baseline, block by block. */
export function differencesFigure({ baseline: control, comparisons, chosenFrom }: Comparisons): Figure {
  const [first] = comparisons
  const nameOf = armNames([control, ...comparisons.map(({ candidate }) => candidate)])
  const baseline = nameOf(control)
  const isYesNo = comparisons.every(one => one.yes_no)
  const drawn = drawnIn(
    first?.metric ?? '',
    isYesNo,
    comparisons.map(({ estimate }) => estimate),
  )
  const isPaired = first?.pairing !== null
  const level = percentText(first?.ci?.level ?? 0.95)
  return {
    id: 'differences',
    title: `${isPaired ? 'Paired differences' : 'Differences'} from ${baseline}`,
    caption: `Candidate minus ${baseline}${isPaired ? ` on the same ${unitWord(first?.unit ?? 'run')}, averaged` : ''}, with its ${level} confidence interval.${manyText(comparisons, chosenFrom)}`,
    draw: options =>
      drawChart(
        'differences',
        {
          metric: named(first),
          ...(isYesNo ? { unit: 'pts' } : unitOf(drawn)),
          baseline,
          goal: first?.goal ?? 'maximize',
          isPaired,
          intervalLabel: `${level} CI`,
          rows: comparisons.map(one => ({
            label: nameOf(one.candidate),
            value: times(one.estimate, drawn.factor),
            // The same as in the headline, so that no interval without 0 stands beside “inconclusive”.
            interval: rangeOf(intervalOfVerdict(one), drawn.factor),
            n: one.n.pairs ?? one.n.candidate,
            verdict: one.verdict,
            reason: one.reason,
          })),
        },
        options,
      ),
    table: comparisonTable(comparisons),
  }
}

/** Which numbers are corrected because there are several comparisons, and which are not. */
function manyText(comparisons: readonly Comparison[], chosenFrom: number | undefined): string {
  const [first] = comparisons
  if (first === undefined || comparisons.length < 2) return ''
  const isFamily = comparisons.some(one => one.ci_simultaneous !== null && one.p_adjusted !== null)
  const all = chosenFrom === undefined ? `these ${comparisons.length}` : `all ${chosenFrom}`
  const corrected = first.correction === 'none' ? '' : `; p is corrected (${first.correction})`
  const intervals = isFamily
    ? `The intervals hold for ${all} comparisons at once${corrected}. The table also has each interval by itself.`
    : `Each interval is by itself${corrected === '' ? '' : `${corrected} for ${all} comparisons`}.`
  const chosen =
    chosenFrom === undefined ? '' : ` These are the best ${comparisons.length} of ${chosenFrom} candidates.`
  return `${chosen} ${intervals}`
}

/** The output of `assay compare`, as rows. */
export function comparisonTable(comparisons: readonly Comparison[]): FigureTable {
  const isFamily = comparisons.some(one => one.ci_simultaneous !== null)
  const tests = [...new Set(comparisons.flatMap(({ other_tests }) => other_tests.map(({ test }) => test)))]
  return {
    columns: [
      ...comparisonColumns(comparisons),
      ...(isFamily ? simultaneousColumns(comparisons) : []),
      ...tests.map(name => otherTestColumn(name, comparisons)),
    ],
    rows: comparisons.map(one => [
      ...comparisonRow(one),
      ...(isFamily ? [one.ci_simultaneous?.low ?? null, one.ci_simultaneous?.high ?? null] : []),
      ...tests.map(name => one.other_tests.find(({ test }) => test === name)?.p ?? null),
    ]),
  }
}

/** Other tests of the same question: if they disagree, a reader must see it. */
function otherTestColumn(name: string, comparisons: readonly Comparison[]): FigureColumn {
  const told = comparisons.flatMap(({ other_tests }) => other_tests.filter(({ test }) => test === name))
  return { name: `p by ${name}`, write: pWriting(told.map(one => ({ ...one, p_adjusted: null }))) }
}

/** Bounds that hold for all candidates at once: wider than those in the sentence. */
function simultaneousColumns(comparisons: readonly Comparison[]): readonly FigureColumn[] {
  const [first] = comparisons.filter(one => one.ci_simultaneous !== null)
  // Each has a higher level, so that all together have this one.
  const level = percentText(first?.ci?.level ?? 0.95)
  const write = first === undefined ? plainNumber : writingOf(first).difference
  return [
    { name: `${level} CI of all at once, low`, write },
    { name: `${level} CI of all at once, high`, write },
  ]
}

function comparisonColumns(comparisons: readonly Comparison[]): readonly FigureColumn[] {
  const [first] = comparisons
  const level = percentText(first?.ci?.level ?? 0.95)
  const write = first === undefined ? plainNumber : writingOf(first).difference
  const writeP = pWriting(comparisons)
  return [
    { name: 'candidate' },
    { name: 'control' },
    { name: 'n', write: String },
    { name: 'difference', write },
    { name: `${level} CI low`, write },
    { name: `${level} CI high`, write },
    { name: 'p', write: writeP },
    { name: 'p corrected', write: writeP },
    { name: 'ratio of means', write: plainNumber },
    { name: 'standardised', write: plainNumber },
    { name: 'verdict' },
  ]
}

const comparisonRow = (one: Comparison) => [
  one.candidate,
  one.control,
  one.n.pairs ?? one.n.candidate,
  one.estimate,
  one.ci?.low ?? null,
  one.ci?.high ?? null,
  one.p,
  one.p_adjusted,
  one.effect.ratio?.value ?? null,
  one.effect.standardized?.value ?? null,
  one.verdict,
]

/** How the difference varies by chance; null where there is nothing to resample, or units that cross are resampled otherwise. */
export function bootstrapFigure(comparison: Comparison, samples: PicturedNumbers): Figure | null {
  const { metric, candidate, control, estimate, ci, yes_no } = comparison
  const nameOf = armNames([control, candidate])
  const label = `${nameOf(candidate)} − ${nameOf(control)}`
  const drawn = drawnIn(metric, yes_no, [ci?.low ?? estimate, ci?.high ?? estimate])
  const resampled = (comparison.design?.crossed ?? []).length > 0 ? [] : resampledDifferences(samples, defaultDrawing)
  if (resampled.length === 0) return null
  const sorted = resampled.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null
  return {
    id: `bootstrap-${candidate}`,
    title: `Bootstrap distribution of ${label}`,
    caption: `What the difference would have been, had other ${plural(unitWord(comparison.unit))} come up: ${defaultDrawing.resamples.toLocaleString('en-US')} resamples of those there are.`,
    draw: options =>
      drawChart(
        'bootstrap',
        {
          metric,
          ...(yes_no ? { unit: 'pts' } : unitOf(drawn)),
          label,
          resampled: resampled.map(value => drawn.factor * value),
          estimate: times(estimate, drawn.factor),
          interval: rangeOf(ci, drawn.factor),
          ...(ci === null
            ? {}
            : {
                intervalLabel: `${percentText(ci.level)} interval${comparison.ci_simultaneous === null ? '' : ' by itself'} (${ci.method})`,
              }),
        },
        options,
      ),
    table: {
      columns: [{ name: 'share of resamples below' }, { name: 'difference', write: writingOf(comparison).difference }],
      rows: [0.005, 0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975, 0.995].map(share => [percentText(share), at(share)]),
    },
  }
}

/** Whether the numbers are normally distributed; yes-or-no values never are, and equal numbers have no distribution. */
export function shapeFigures(comparison: Comparison, samples: PicturedNumbers): readonly Figure[] {
  if (comparison.yes_no) return []
  const nameOf = armNames([comparison.control, comparison.candidate])
  const labels = { control: nameOf(comparison.control), candidate: nameOf(comparison.candidate) }
  const varying = shapesOf(samples, labels).filter(({ values }) => new Set(values).size > 1)
  const isOfArm = comparison.pairing === null ? { isOfArm: true } : {}
  const drawn = drawnIn(
    comparison.metric,
    false,
    varying.flatMap(({ values }) => values),
  )
  return varying.map(sample => ({
    id: `q-q-${sample.label}`,
    title: `Normal Q–Q plot of ${sample.label}`,
    caption: `Points on the line: shaped like a bell. ${needOfShape(comparison)}`,
    draw: options =>
      drawChart(
        'qq',
        {
          metric: comparison.metric,
          ...unitOf(drawn),
          sample: { ...sample, values: sample.values.map(value => drawn.factor * value) },
          ...isOfArm,
        },
        options,
      ),
    table: {
      columns: [
        { name: 'rank', write: String },
        { name: 'value', write: plainNumber },
      ],
      rows: sample.values.toSorted((a, b) => a - b).map((value, rank) => [rank + 1, value]),
    },
  }))
}

/** The distribution that a comparison's interval assumes. */
function needOfShape({ ci, unit, pairing }: Comparison): string {
  const what = pairing === null ? 'the numbers' : 'the differences'
  const few = `with few ${plural(unitWord(unit))}`
  switch (ci?.method) {
    case undefined:
      return 'There is no interval that could need it.'
    case 't':
      return `The interval above does need it ${few}: it is Student’s t, which takes ${what} to be so.`
    case 'wider':
      return `The interval above leans on it ${few}: it is Student’s t, or the studentised bootstrap where that is wider.`
    case 'widest':
      return `The interval above leans on it ${few}: it is Student’s t, or a permutation of it or the studentised bootstrap where that is wider.`
    default:
      return `The interval above (${ci?.method}) does not take ${what} to be so.`
  }
}

const named = (first: Comparison | undefined): string =>
  first === undefined ? '' : first.summary === null ? first.metric : `${first.metric} (${first.summary})`
