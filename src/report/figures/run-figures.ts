import { armNames } from '../../analyze/arms.ts'
import { type RunVariation, unitsText, type Variance } from '../../analyze/variance/variance.ts'
import { type Charts, drawChart } from '../../charts/draw-chart.ts'
import type { Series } from '../../define/run.ts'
import { listed, percentText, plainNumber } from '../../util/words.ts'
import type { Curves } from '../findings/comparisons.ts'
import type { Failures } from '../findings/failures.ts'
import { type Defined, stepAxis, stepNameOf } from '../findings/step-name.ts'
import type { Profile } from '../findings/variants.ts'
import { drawnIn, type Figure, unitOf, valueWriting } from './figure.ts'

/** A metric over steps, arm by arm. */
export function curvesFigure(found: Curves): Figure {
  const { metric, step, level, curves } = found
  const band = `${percentText(level)} confidence band at each ${step.one}`
  const hasBand = curves.some(({ points }) => points.some(({ interval }) => interval !== null))
  const write = valueWriting(metric)
  const nameOf = armNames(curves.map(({ label }) => label))
  return {
    id: 'curves',
    title: `${metric} over ${step.many}`,
    caption: curvesCaption(found, hasBand ? band : null),
    draw: options =>
      drawChart(
        'learningCurves',
        {
          metric,
          ...stepAxis(step),
          ...unitOf(drawnIn(metric)),
          ...(hasBand ? { band } : {}),
          curves: curves.map(({ label, n, units, points, runs }) => ({
            label: nameOf(label),
            n,
            units,
            points,
            runs: runs.map(({ series }) =>
              series.steps.map((step, at) => ({ step, value: series.values[at] ?? null })),
            ),
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'arm' },
        { name: step.one, write: plainNumber },
        { name: 'mean', write },
        { name: 'low', write },
        { name: 'high', write },
      ],
      rows: curves.flatMap(({ label, points }) =>
        points.map(({ step, mean, interval }) => [label, step, mean, interval?.low ?? null, interval?.high ?? null]),
      ),
    },
  }
}

function curvesCaption({ step, curves, chosenFrom, isOfBest, unequal }: Curves, band: string | null): string {
  const hasLines = curves.some(({ runs }) => runs.length > 0)
  const mean = `he mean over ${curves[0]?.units ?? 'runs'}${band === null ? '' : ` with a ${band}`}`
  if (isOfBest === true)
    return `The thick line is the best variant${(curves[0]?.n ?? 1) > 1 ? `, t${mean}` : ''}.${hasLines ? ' Thin lines are the runs of all variants.' : ''}`
  return `T${mean}${band === null ? ', without a band' : ''}.${hasLines ? ' Thin lines are single runs.' : ''} Only the ${step.many} that all runs of an arm reached are averaged.${unequal === undefined ? '' : ` All runs of an arm count (${listed(unequal.map(String))}), where a comparison takes only those with a partner.`}${chosenFrom === undefined ? '' : ` Of ${chosenFrom} arms the baseline and the best are shown.`}`
}

/** How much runs of one variant differ, by the number of runs. */
export function varianceFigure(found: Variance): Figure {
  const { metric, variant, threshold, level, statistics } = found
  const [first, second] = statistics
  const subject = variant === null ? metric : `${metric} (${variant})`
  return {
    id: `variance${variant === null ? '' : `-${variant}`}`,
    title: `Variation of ${subject} between ${unitsText(found)}`,
    caption: `${found.sentence}.`,
    draw: options =>
      drawChart(
        'variance',
        {
          metric: subject,
          threshold,
          auc: curveOf(first, metric),
          slope: second === undefined ? null : curveOf(second, metric),
          band: `${percentText(level)} confidence interval`,
          units: unitsText(found),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'statistic' },
        { name: unitsText(found), write: String },
        { name: 'CV', write: percentText },
        { name: 'low', write: percentText },
        { name: 'high', write: percentText },
      ],
      rows: statistics.flatMap(one => one.curve.map(({ n, cv, low, high }) => [nameOf(one, metric), n, cv, low, high])),
    },
  }
}

/** A plain number of a run keeps its own name. */
const nameOf = ({ name }: RunVariation, metric: string): string => (name === 'Value' ? metric : name)

function curveOf(statistic: RunVariation | undefined, metric: string): Charts['variance']['auc'] {
  if (statistic === undefined) return { label: 'value', points: [], enough: null, reason: 'there are no values' }
  const { curve, enough, reason } = statistic
  const points = curve.map(({ n, cv, low, high }) => ({
    n,
    cv,
    interval: low === null ? null : { low, high: high ?? Number.POSITIVE_INFINITY },
  }))
  return { label: nameOf(statistic, metric), points, enough, reason }
}

/** Every metric at once, as multiples of the baseline's. */
export function profileFigure({ baseline: control, axes, arms: all, level }: Profile): Figure {
  const nameOf = armNames([control, ...all.map(({ label }) => label)])
  const baseline = nameOf(control)
  const arms = all.map(({ label, ratios }) => ({ label: nameOf(label), ratios }))
  return {
    id: 'profile',
    title: `Profile relative to ${baseline}`,
    caption: 'Outward is better on every axis; if less is better, the ratio is inverted.',
    draw: options =>
      drawChart(
        'radial',
        {
          baseline,
          axes,
          variants: arms.map(({ label, ratios }) => ({ label, ratios })),
          intervalLabel: `${percentText(level)} interval`,
        },
        options,
      ),
    table: {
      columns: [
        { name: 'arm' },
        { name: 'metric' },
        { name: 'ratio', write: plainNumber },
        { name: 'low', write: plainNumber },
        { name: 'high', write: plainNumber },
      ],
      rows: arms.flatMap(({ label, ratios }) =>
        ratios.map(({ value, interval }, at) => [
          label,
          axes[at]?.metric ?? '',
          value,
          interval?.low ?? null,
          interval?.high ?? null,
        ]),
      ),
    },
  }
}

/** How runs failed, the most frequent way first. */
export function failuresFigure({ classes, of }: Failures): Figure {
  return {
    id: 'failures',
    title: 'Runs without a result, by class',
    caption: `Of ${of} runs that ended.`,
    draw: options =>
      drawChart(
        'bars',
        {
          title: 'Runs without a result, by class',
          metric: 'runs',
          isCount: true,
          panels: [[{ bars: classes.slice(0, 20).map(({ name, runs }) => ({ label: name, value: runs.length })) }]],
        },
        options,
      ),
    table: {
      columns: [
        { name: 'class' },
        { name: 'runs', write: String },
        { name: 'share of runs', write: percentText },
        { name: 'hardest hit' },
        { name: 'message' },
      ],
      rows: classes.map(({ name, runs, variants, message }) => [
        name,
        runs.length,
        runs.length / of,
        variants.map(({ label, count, of: all }) => `${label} ${count}/${all}`).join('; '),
        message,
      ]),
    },
  }
}

/** What a run reported over steps; its experiment says what a step is. */
export interface OneSeries {
  readonly series: Series
  readonly experiments: readonly Defined[]
}

/** A metric of one run over steps. */
export function runSeriesFigure({ series, experiments }: OneSeries): Figure {
  const { metric } = series
  const step = stepNameOf(experiments, metric)
  return {
    id: `series-${metric}`,
    title: `${metric} over ${step.many}`,
    caption: '',
    draw: options =>
      drawChart(
        'learningCurves',
        { metric, ...stepAxis(step), curves: [{ label: metric, n: 1, points: pointsOf(series) }] },
        options,
      ),
    table: {
      columns: [
        { name: step.one, write: plainNumber },
        { name: metric, write: plainNumber },
      ],
      rows: pointsOf(series).map(({ step: at, mean }) => [at, mean]),
    },
  }
}

/** One metric of two runs, under a letter each. */
export interface SteppedSeries {
  readonly metric: string
  readonly runs: readonly { readonly label: string; readonly name: string; readonly series: readonly Series[] }[]
  readonly experiments: readonly Defined[]
}

export function pairSeriesFigure({ metric, runs, experiments }: SteppedSeries): Figure {
  const step = stepNameOf(experiments, metric)
  const curves = runs.flatMap(({ label, name, series }) =>
    series.filter(one => one.metric === metric).map(one => ({ label, name, points: pointsOf(one) })),
  )
  return {
    id: `both-${metric}`,
    title: `${metric} over ${step.many}`,
    caption: '',
    draw: options =>
      drawChart(
        'learningCurves',
        { metric, ...stepAxis(step), curves: curves.map(({ label, points }) => ({ label, n: 1, points })) },
        options,
      ),
    table: {
      columns: [{ name: 'run' }, { name: step.one, write: plainNumber }, { name: metric, write: plainNumber }],
      rows: curves.flatMap(({ name, points }) => points.map(({ step: at, mean }) => [name, at, mean])),
    },
  }
}

const pointsOf = ({ steps, values }: Series) => steps.map((step, at) => ({ step, mean: values[at] ?? null }))
