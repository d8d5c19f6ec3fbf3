import { type BarsData, barsChart } from './bars.ts'
import type { ChartOptions } from './chart.ts'
import { type DistributionsData, distributionPlaces, distributionsChart } from './distributions.ts'
import { type PowerCurveData, powerCurve, type VariancePanelsData, variancePanels } from './enough-runs.ts'
import {
  type DifferencesData,
  differencesChart,
  type EstimatesData,
  estimatesChart,
  type RatiosData,
  ratiosChart,
} from './estimates.ts'
import { type LearningCurvesData, learningCurves } from './learning-curves.ts'
import { type ParetoData, paretoChart } from './pareto.ts'
import { type RadialData, radialChart } from './radial.ts'
import { type ParallelData, parallelCoordinates, type SearchHistoryData, searchHistory } from './search.ts'
import { type SlicesData, searchSlices } from './search-slices.ts'
import { type BootstrapDistributionData, bootstrapDistribution, type QqData, qqPlot } from './shapes.ts'

/** The kinds of charts, and the data that each one draws. */
export interface Charts {
  bars: BarsData
  bootstrap: BootstrapDistributionData
  differences: DifferencesData
  distributions: DistributionsData
  estimates: EstimatesData
  learningCurves: LearningCurvesData
  parallelCoordinates: ParallelData
  pareto: ParetoData
  power: PowerCurveData
  qq: QqData
  radial: RadialData
  ratios: RatiosData
  searchHistory: SearchHistoryData
  slices: SlicesData
  variance: VariancePanelsData
}

type Draw<Kind extends keyof Charts> = (data: Charts[Kind], options: ChartOptions) => string

const charts: { readonly [Kind in keyof Charts]: Draw<Kind> } = {
  bars: barsChart,
  bootstrap: bootstrapDistribution,
  differences: differencesChart,
  distributions: distributionsChart,
  estimates: estimatesChart,
  learningCurves,
  parallelCoordinates,
  pareto: paretoChart,
  power: powerCurve,
  qq: qqPlot,
  radial: radialChart,
  ratios: ratiosChart,
  searchHistory,
  slices: searchSlices,
  variance: variancePanels,
}

/** Where a chart draws each run inside its panel, row by row: for pages that answer to the pointer. */
export const runPlaces = (
  data: Charts['distributions'],
  options: { readonly width?: number },
): readonly (readonly { readonly x: number; readonly y: number }[])[] => distributionPlaces(data, options)

/** A chart as SVG. The same data gives the same bytes. */
export function drawChart<Kind extends keyof Charts>(kind: Kind, data: Charts[Kind], options: ChartOptions): string {
  return charts[kind](data, options)
}
