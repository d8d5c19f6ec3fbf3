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

// The types of a chart's input are exported with the function that draws it.
export type { ChartDocument, ChartOptions, Range } from './chart.ts'

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

/** The position of each run inside its panel, row by row: for pages that react to the pointer. */
export const runPlaces = (
  data: Charts['distributions'],
  options: { readonly width?: number },
): readonly (readonly { readonly x: number; readonly y: number }[])[] => distributionPlaces(data, options)

/** A chart as SVG. The same data gives the same bytes. */
export function drawChart<Kind extends keyof Charts>(kind: Kind, data: Charts[Kind], options: ChartOptions): string {
  return charts[kind](data, options)
}

/** Several charts below each other as one picture. Each keeps its own size; their ids are kept distinct. */
export function stacked(charts: readonly string[]): string {
  const [only] = charts
  if (only !== undefined && charts.length === 1) return only
  let top = 0
  let width = 0
  const placed = charts.map((svg, index) => {
    const size = sizeOf(svg)
    const own = withOwnIds(svg, `c${index}-`).replace(/<svg\b/, `<svg x="0" y="${top}"`)
    top += size.height
    width = Math.max(width, size.width)
    return own.replace(/^<\?xml[^>]*>\s*/, '')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}"><rect width="${width}" height="${top}" fill="#ffffff"/>\n${placed.join('\n')}</svg>\n`
}

function sizeOf(svg: string): { readonly width: number; readonly height: number } {
  const root = /<svg\b[^>]*>/.exec(svg)?.[0] ?? ''
  const number = (name: string): number => Number(new RegExp(`\\s${name}="([\\d.]+)`).exec(root)?.[1] ?? 0)
  return { width: number('width'), height: number('height') }
}

const withOwnIds = (svg: string, prefix: string): string =>
  svg
    .replace(/\bid="([^"]+)"/g, `id="${prefix}$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`)
    .replace(
      /\baria-(labelledby|describedby)="([^"]+)"/g,
      (_, name, ids: string) =>
        `aria-${name}="${ids
          .split(' ')
          .map(id => prefix + id)
          .join(' ')}"`,
    )
    .replace(/\bhref="#([^"]+)"/g, `href="#${prefix}$1"`)
