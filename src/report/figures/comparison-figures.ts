import type { Comparison } from '../../analyze/compare/comparison.ts'
import { defaultDrawing } from '../../analyze/compare/method.ts'
import { resampledDifferences, shapesOf } from '../../analyze/compare/pictured.ts'
import { percentText, plainNumber, pText, writingOf } from '../../analyze/numbers.ts'
import type { ArmSamples } from '../../analyze/samples.ts'
import { plural, unitWord } from '../../analyze/words.ts'
import { bootstrapDistribution } from '../../charts/bootstrap-distribution.ts'
import { differencesChart } from '../../charts/differences.ts'
import { estimatesChart } from '../../charts/estimates.ts'
import { qqPlot } from '../../charts/q-q.ts'
import type { Comparisons } from '../findings/comparisons.ts'
import { type Figure, type FigureColumn, rangeOf } from './figure.ts'
import { drawnIn, times, unitOf, valueWriting } from './units.ts'

/** Each arm's mean, by itself. */
export function armsFigure({ comparisons }: Comparisons): Figure {
  const [first] = comparisons
  const metric = first?.metric ?? ''
  const isYesNo = comparisons.every(one => one.yes_no)
  const drawn = drawnIn(metric, isYesNo)
  const arms =
    first === undefined
      ? []
      : [
          { label: first.control, isBaseline: true, ...first.arms.control },
          ...comparisons.map(one => ({ label: one.candidate, isBaseline: false, ...one.arms.candidate })),
        ]
  const write = valueWriting(metric, isYesNo)
  const level = percentText(first?.ci?.level ?? 0.95)
  const unit = plural(unitWord(first?.unit ?? 'run'))
  return {
    id: 'estimates',
    title: `${named(first)} of each arm`,
    caption: `The mean over ${unit}, with its ${level} confidence interval. Paired differences are known better than these intervals suggest: they are below.`,
    draw: options =>
      estimatesChart(
        {
          metric: named(first),
          ...unitOf(drawn),
          statistic: 'mean',
          intervalLabel: `${level} CI`,
          rows: arms.map(arm => ({
            label: arm.label,
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
export function differencesFigure({ baseline, comparisons }: Comparisons): Figure {
  const [first] = comparisons
  const isYesNo = comparisons.every(one => one.yes_no)
  const drawn = drawnIn(first?.metric ?? '', isYesNo)
  const isPaired = first?.pairing !== null
  const level = percentText(first?.ci?.level ?? 0.95)
  return {
    id: 'differences',
    title: `${isPaired ? 'Paired differences' : 'Differences'} from ${baseline}`,
    caption: isPaired
      ? `Candidate minus ${baseline} on the same ${unitWord(first?.unit ?? 'run')}, averaged, with its ${level} confidence interval.`
      : `Candidate minus ${baseline}, with its ${level} confidence interval.`,
    draw: options =>
      differencesChart(
        {
          metric: named(first),
          ...(isYesNo ? { unit: 'pts' } : unitOf(drawn)),
          baseline,
          goal: first?.goal ?? 'maximize',
          isPaired,
          intervalLabel: `${level} CI`,
          rows: comparisons.map(({ candidate, estimate, ci, n, verdict, reason }) => ({
            label: candidate,
            value: times(estimate, drawn.factor),
            interval: rangeOf(ci, drawn.factor),
            n: n.pairs ?? n.candidate,
            verdict,
            reason,
          })),
        },
        options,
      ),
    table: { columns: comparisonColumns(first), rows: comparisons.map(comparisonRow) },
  }
}

/** What `assay compare` prints, as a row. */
export function comparisonColumns(first: Comparison | undefined): readonly FigureColumn[] {
  const level = percentText(first?.ci?.level ?? 0.95)
  const write = first === undefined ? plainNumber : writingOf(first).difference
  const writeP = (value: number) => pText(value).replace(/^p (= )?/, '')
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

export const comparisonRow = (one: Comparison) => [
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

/** How the difference varies by chance. */
export function bootstrapFigure(comparison: Comparison, samples: ArmSamples): Figure {
  const { metric, candidate, control, estimate, ci, yes_no } = comparison
  const drawn = drawnIn(metric, yes_no)
  const resampled = resampledDifferences(samples, defaultDrawing).map(value => drawn.factor * value)
  const sorted = resampled.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null
  return {
    id: `bootstrap-${candidate}`,
    title: `Bootstrap distribution of ${candidate} − ${control}`,
    caption: `What the difference would have been, had other ${plural(unitWord(comparison.unit))} come up: ${defaultDrawing.resamples.toLocaleString('en-US')} resamples of those there are.`,
    draw: options =>
      bootstrapDistribution(
        {
          metric,
          ...(yes_no ? { unit: 'pts' } : unitOf(drawn)),
          label: `${candidate} − ${control}`,
          resampled,
          estimate: times(estimate, drawn.factor),
          interval: rangeOf(ci, drawn.factor),
          ...(ci === null ? {} : { intervalLabel: `${percentText(ci.level)} interval (${ci.method})` }),
        },
        options,
      ),
    table: {
      columns: [{ name: 'share of resamples below' }, { name: 'difference', write: plainNumber }],
      rows: [0.005, 0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975, 0.995].map(share => [percentText(share), at(share)]),
    },
  }
}

/** Whether the numbers are shaped like a bell; of yes and no nobody asks. */
export function shapeFigures(comparison: Comparison, samples: ArmSamples): readonly Figure[] {
  if (comparison.yes_no) return []
  return shapesOf(samples, comparison).map(sample => ({
    id: `q-q-${sample.label}`,
    title: `Normal Q–Q plot of ${sample.label}`,
    caption: 'Points on the line: shaped like a bell. The intervals above do not need it; a t test on few units does.',
    draw: options => qqPlot({ metric: comparison.metric, ...unitOf(drawnIn(comparison.metric)), sample }, options),
    table: {
      columns: [
        { name: 'rank', write: String },
        { name: 'value', write: plainNumber },
      ],
      rows: sample.values.toSorted((a, b) => a - b).map((value, rank) => [rank + 1, value]),
    },
  }))
}

const named = (first: Comparison | undefined): string =>
  first === undefined ? '' : first.summary === null ? first.metric : `${first.metric} (${first.summary})`
