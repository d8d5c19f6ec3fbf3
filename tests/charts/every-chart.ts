import { barsChart } from '../../src/charts/bars.ts'
import { distributionsChart } from '../../src/charts/distributions.ts'
import type { ChartOptions, Range } from '../../src/charts/draw-chart.ts'
import { powerCurve, variancePanels } from '../../src/charts/enough-runs.ts'
import { differencesChart, estimatesChart, ratiosChart } from '../../src/charts/estimates.ts'
import { learningCurves } from '../../src/charts/learning-curves.ts'
import { paretoChart } from '../../src/charts/pareto.ts'
import { radialChart } from '../../src/charts/radial.ts'
import { parallelCoordinates, searchHistory } from '../../src/charts/search.ts'
import { searchSlices } from '../../src/charts/search-slices.ts'
import { bootstrapDistribution, qqPlot } from '../../src/charts/shapes.ts'
import * as sample from './samples.ts'

type Draw = (options: ChartOptions) => string

/** Every chart with data as it should be. */
export const everyChart: Readonly<Record<string, Draw>> = {
  'variance-panels': options => variancePanels(sample.variance, options),
  'variance-panel': options => variancePanels({ ...sample.variance, slope: null }, options),
  'learning-curves': options => learningCurves(sample.learning, options),
  radial: options => radialChart(sample.radial, options),
  'bootstrap-distribution': options => bootstrapDistribution(sample.bootstrap, options),
  'q-q': options => qqPlot(sample.qq, options),
  'q-q-two-samples': options => qqPlot({ ...sample.qq, against: sample.otherSample }, options),
  estimates: options => estimatesChart(sample.estimates, options),
  differences: options => differencesChart(sample.differences, options),
  'power-curve': options => powerCurve(sample.power, options),
  pareto: options => paretoChart(sample.pareto, options),
  bars: options => barsChart(sample.bars, options),
  ratios: options => ratiosChart(sample.ratios, options),
  distributions: options => distributionsChart(sample.distributions, options),
  'distributions-of-yes-and-no': options => distributionsChart(sample.yesOrNo, options),
  'search-history': options => searchHistory(sample.searchHistory, options),
  'parallel-coordinates': options => parallelCoordinates(sample.parallel, options),
  slices: options => searchSlices(sample.parallel, options),
}

/** A number where nothing can be drawn, and one where all are the same. */
const odd = {
  nothing: null,
  nan: Number.NaN,
  infinite: Number.POSITIVE_INFINITY,
  zero: 0,
  one: 1,
  huge: 1e300,
  tiny: 1e-300,
}

/** Every chart with every odd number, once and five times. */
export const oddCharts: Readonly<Record<string, Draw>> = Object.fromEntries(
  Object.entries(odd).flatMap(([name, value]) =>
    [0, 1, 5].flatMap(n =>
      Object.entries(withValue(value, n)).map(([chart, draw]) => [`${chart}, ${n} × ${name}`, draw]),
    ),
  ),
)

/** Intervals that are open at one side or at both, as one-sided tests and hopeless data give them. */
export const openIntervals: Readonly<Record<string, Draw>> = Object.fromEntries(
  [
    { low: 0.5, high: Number.POSITIVE_INFINITY },
    { low: Number.NEGATIVE_INFINITY, high: 1.5 },
    { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY },
  ].flatMap(interval =>
    Object.entries(withValue(1, 3, interval)).map(([chart, draw]) => [
      `${chart}, ${interval.low} to ${interval.high}`,
      draw,
    ]),
  ),
)

function withValue(value: number | null, n: number, given?: Range): Record<string, Draw> {
  const number = value ?? Number.NaN
  const interval = given ?? { low: number, high: number }
  const times = <T>(make: (index: number) => T): T[] => Array.from({ length: n }, (_, index) => make(index))
  const rows = times(index => ({ label: `row ${index}`, value, interval, n: 1, reason: 'all equal' }))
  const cvs = { label: 'AUC', enough: null, points: times(index => ({ n: index + 1, cv: value, interval })) }
  const points = times(index => ({ step: index, mean: value, interval }))
  const run = times(index => ({ step: index, value }))
  const axes = times(index => ({
    metric: `m${index}`,
    goal: index % 2 === 0 ? ('maximize' as const) : ('minimize' as const),
  }))
  const values = times(() => number)
  return {
    'variance-panels': options => variancePanels({ metric: 'm', threshold: 0.05, auc: cvs, slope: cvs }, options),
    'learning-curves': options =>
      learningCurves({ metric: 'm', curves: [{ label: 'a', n, points, runs: [run] }] }, options),
    radial: options => radialChart({ baseline: 'b', axes, variants: [{ label: 'a', ratios: rows }] }, options),
    'bootstrap-distribution': options =>
      bootstrapDistribution({ metric: 'm', label: 'a − b', resampled: values, estimate: value, interval }, options),
    'q-q': options => qqPlot({ metric: 'm', sample: { label: 's', values } }, options),
    'q-q-two-samples': options =>
      qqPlot({ metric: 'm', sample: { label: 's', values }, against: { label: 't', values } }, options),
    estimates: options => estimatesChart({ metric: 'm', rows }, options),
    differences: options => differencesChart({ metric: 'm', baseline: 'b', goal: 'maximize', rows }, options),
    'power-curve': options =>
      powerCurve(
        { target: 0.8, curves: [{ label: 'd', points: times(index => ({ n: index + 1, power: value })) }] },
        options,
      ),
    pareto: options =>
      paretoChart(
        {
          cost: { label: 'c' },
          score: { label: 's' },
          points: rows.map(row => ({
            ...row,
            cost: value,
            score: value,
            costInterval: interval,
            scoreInterval: interval,
          })),
        },
        options,
      ),
    bars: options => barsChart({ title: 't', metric: 'm', panels: [[{ bars: rows }, { bars: rows }]] }, options),
    ratios: options => ratiosChart({ metric: 'm', baseline: 'b', ratios: rows }, options),
    distributions: options => distributionsChart({ metric: 'm', rows: [{ label: 'a', values }] }, options),
    'search-history': options =>
      searchHistory(
        { metric: 'm', goal: 'maximize', points: times(index => ({ number: index + 1, value, best: value })) },
        options,
      ),
    slices: options =>
      searchSlices(
        {
          goal: 'minimize',
          axes: [
            { name: 'p', kind: 'number', min: number, max: number, isLog: true },
            { name: 'm', kind: 'number', min: number, max: number, isLog: false },
          ],
          rows: times(index => ({ label: `row ${index}`, values: [value, value] })),
        },
        options,
      ),
    'parallel-coordinates': options =>
      parallelCoordinates(
        {
          goal: 'minimize',
          axes: [
            { name: 'p', kind: 'number', min: number, max: number, isLog: false },
            { name: 'm', kind: 'number', min: number, max: number, isLog: false },
          ],
          rows: times(index => ({ label: `row ${index}`, values: [value, value] })),
        },
        options,
      ),
  }
}
