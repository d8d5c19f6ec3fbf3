import * as Plot from '@observablehq/plot'
import { normalQuantile, sorted, sortedQuantile } from '../stats/index.ts'
import type { ChartOptions, Range } from './chart.ts'
import { countAxis, fittingAxis, valueAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { clamped, drawableRange, extentOf, padded } from './drawing/interval.ts'
import type { LegendItem } from './drawing/legend.ts'
import { axisLabel, isDrawable, withUnit } from './drawing/numbers.ts'
import { xyPanel } from './drawing/panel.ts'
import { colors, ink } from './drawing/theme.ts'

export interface BootstrapDistributionData {
  readonly metric: string
  readonly unit?: string
  /** The two sides of the difference, e.g. “hybrid − raw”. */
  readonly label: string
  /** The statistic of every resample. */
  readonly resampled: readonly number[]
  readonly estimate: number | null
  readonly interval?: Range | null
  /** e.g. “95% BCa interval”. */
  readonly intervalLabel?: string
}

const intervalColor = colors.blue

/** How the difference varies from resample to resample, with the estimate, its interval and 0. */
export function bootstrapDistribution(data: BootstrapDistributionData, options: ChartOptions): string {
  const width = options.width ?? 640
  const title = `Bootstrap distribution of ${data.label}`
  const values = data.resampled.filter(isDrawable)
  const spread = extentOf(values)
  if (spread === null) return nothingToDraw(title, 'There are no resampled differences to draw.', { ...options, width })
  const range = drawableRange(data.interval)
  const estimate = isDrawable(data.estimate) ? [data.estimate] : []
  const shown = extentOf([spread.low, spread.high, ...estimate, range?.low, range?.high]) ?? spread
  const isZeroNear = distanceTo(0, shown) <= farthest * (shown.high - shown.low)
  const domain = padded(isZeroNear ? (extentOf([shown.low, shown.high, 0]) ?? shown) : shown, 0.04)
  const lost = data.resampled.length - values.length
  const bins = binned(values, spread)
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height: 300,
    x: fittingAxis(axisLabel(`difference in ${data.metric}`, data.unit), domain, innerWidth(width) - 70),
    y: countAxis('resamples', [0, 1.06 * Math.max(...bins.map(bin => bin.count))], 5),
    marks: [
      Plot.rectX(range === null ? [] : [clamped(range, domain)], {
        x1: 'low',
        x2: 'high',
        fill: intervalColor,
        fillOpacity: 0.13,
      }),
      Plot.rectY(bins, { x1: 'from', x2: 'to', y1: 0, y2: 'count', fill: '#9aa5b1', insetLeft: 0.5, insetRight: 0.5 }),
      Plot.ruleX([range?.low, range?.high].filter(isDrawable), {
        stroke: intervalColor,
        strokeWidth: 1.5,
        strokeDasharray: '7 3',
      }),
      Plot.ruleX(isZeroNear ? [0] : [], { stroke: ink.text, strokeWidth: 1.5, strokeDasharray: '2 3' }),
      Plot.ruleX(estimate, { stroke: colors.red, strokeWidth: 2.2 }),
      Plot.ruleY([0], { stroke: ink.axis }),
    ],
  })
  const items = legendOf(data, range, isZeroNear)
  const description = `Histogram of ${values.length} resampled differences; ${items.map(item => item.label).join('; ')}.`
  const notes = [
    ...(isZeroNear ? [] : [`No difference (0) is far outside, to the ${shown.low > 0 ? 'left' : 'right'}.`]),
    ...(lost > 0 ? [`${lost} of ${data.resampled.length} resamples gave no number and are not drawn.`] : []),
  ]
  const subtitle = `${values.length.toLocaleString('en-US')} resamples`
  return frame({ title, subtitle, description, legend: items, panels: [[chart]], notes }, { ...options, width })
}

/** If 0 is farther away than this multiple of the drawn width, the shape would not be visible. */
const farthest = 2.5

const distanceTo = (value: number, { low, high }: Range): number => Math.max(0, low - value, value - high)

function legendOf(
  { estimate, unit, intervalLabel }: BootstrapDistributionData,
  range: Range | null,
  isZeroNear: boolean,
): LegendItem[] {
  const found: LegendItem[] = []
  if (isDrawable(estimate))
    found.push({ label: `estimate ${withUnit(estimate, unit)}`, color: colors.red, sample: 'line' })
  if (range !== null) {
    const label = `${intervalLabel ?? 'interval'} ${withUnit(range.low, unit)} to ${withUnit(range.high, unit)}`
    found.push({ label, color: intervalColor, sample: 'line', dash: '7 3', withBand: true })
  }
  return isZeroNear ? [...found, { label: 'no difference (0)', color: ink.text, sample: 'line', dash: '2 3' }] : found
}

interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Freedman and Diaconis' width, between 8 and 60 bins; one bin around values that are all equal. */
function binned(values: readonly number[], { low, high }: Range): readonly Bin[] {
  const room = Math.abs(low) * 0.01 || 0.01
  if (low === high) return [{ from: low - room, to: high + room, count: values.length }]
  const ordered = Float64Array.from(values).sort()
  const middleHalf = sortedQuantile(ordered, 0.75) - sortedQuantile(ordered, 0.25)
  const ideal = (2 * middleHalf) / Math.cbrt(values.length)
  const bins = Math.min(60, Math.max(8, Math.ceil((high - low) / (ideal || high - low))))
  const counts = new Array<number>(bins).fill(0)
  for (const value of values) {
    const at = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))
    counts[at] = (counts[at] ?? 0) + 1
  }
  const edge = (index: number) => low + ((high - low) * index) / bins
  return counts.map((count, index) => ({ from: edge(index), to: edge(index + 1), count }))
}

interface Sample {
  readonly label: string
  readonly values: readonly number[]
}

export interface QqData {
  readonly metric: string
  readonly unit?: string
  readonly sample: Sample
  /** Its values are an arm's own, not differences. */
  readonly isOfArm?: boolean
  /** Against this sample; without it, against a normal distribution. */
  readonly against?: Sample
}

interface QqPoint {
  readonly x: number
  readonly y: number
}

/** More points would overlap; at the ends, which matter most, all are drawn. */
const mostDrawn = 600
const ends = 100

function thinned(points: readonly QqPoint[]): readonly QqPoint[] {
  if (points.length <= mostDrawn) return points
  const middle = points.length - 2 * ends
  const between = mostDrawn - 2 * ends
  return [
    ...points.slice(0, ends),
    ...Array.from({ length: between }, (_, at) => ends + Math.floor((at * middle) / between)).flatMap(
      at => points[at] ?? [],
    ),
    ...points.slice(-ends),
  ]
}

/** Ordered values against those of a normal distribution or of a second sample: equal shapes lie on the line. */
export function qqPlot(data: QqData, options: ChartOptions): string {
  const width = options.width ?? 480
  const { sample, against } = data
  const title = `${against === undefined ? 'Normal Q–Q plot' : 'Q–Q plot'} of ${sample.label}`
  const shown = data.isOfArm === true ? data.metric : `difference in ${data.metric}`
  const values = sorted(sample.values.filter(isDrawable))
  const others = against === undefined ? undefined : sorted(against.values.filter(isDrawable))
  if (values.length === 0 || others?.length === 0)
    return nothingToDraw(title, 'There are no values to draw.', { ...options, width })
  const points = others === undefined ? againstNormal(values) : againstSample(values, others)
  const line = others === undefined ? throughQuartiles(values) : { slope: 1, intercept: 0 }
  const xs = padded(extentOf(points.map(point => point.x)) ?? { low: -1, high: 1 })
  const at = (x: number) => line.intercept + line.slope * x
  const ys = padded(
    extentOf([...points.map(point => point.y), ...(others === undefined ? [] : xs.map(at))]) ?? { low: 0, high: 1 },
  )
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height: Math.round(innerWidth(width) * 0.85),
    x: valueAxis(
      against === undefined ? 'quantiles of a normal distribution' : axisLabel(against.label, data.unit),
      xs,
    ),
    y: valueAxis(axisLabel(against === undefined ? shown : sample.label, data.unit), ys),
    marks: [
      Plot.line(segmentWithin(at, xs, ys), {
        x: 'x',
        y: 'y',
        stroke: colors.red,
        strokeWidth: 1.6,
        strokeDasharray: '7 4',
      }),
      Plot.dot(thinned(points), {
        x: 'x',
        y: 'y',
        r: 3.4,
        stroke: colors.blue,
        strokeWidth: 1.3,
        fill: colors.blue,
        fillOpacity: 0.25,
      }),
    ],
  })
  const reference = others === undefined ? 'line through the quartiles' : 'equal distributions'
  const lost = sample.values.length - values.length + ((against?.values.length ?? 0) - (others?.length ?? 0))
  return frame(
    {
      title,
      subtitle: against === undefined ? `n = ${values.length}` : `n = ${values.length} and ${others?.length}`,
      description: `${points.length} points; those on the line fit ${others === undefined ? 'a normal distribution' : 'equal distributions'}.`,
      legend: [{ label: reference, color: colors.red, sample: 'line', dash: '7 4' }],
      panels: [[chart]],
      notes: lost > 0 ? [`${lost} ${lost === 1 ? 'value is' : 'values are'} not a number and not drawn.`] : [],
    },
    { ...options, width },
  )
}

/** Blom's positions (1958), as in R's qqnorm for up to ten values; above that both nearly agree. */
function againstNormal(values: readonly number[]): QqPoint[] {
  return values.map((y, index) => ({ x: normalQuantile((index + 1 - 0.375) / (values.length + 0.25)), y }))
}

function againstSample(values: readonly number[], others: readonly number[]): QqPoint[] {
  const count = Math.min(values.length, others.length)
  const share = (index: number) => (count === 1 ? 0.5 : index / (count - 1))
  return Array.from({ length: count }, (_, index) => ({
    x: sortedQuantile(others, share(index)),
    y: sortedQuantile(values, share(index)),
  }))
}

/** R's qqline: through the first and third quartile, so that a long tail does not tilt the line. */
function throughQuartiles(values: readonly number[]): { slope: number; intercept: number } {
  const [low, high] = [sortedQuantile(values, 0.25), sortedQuantile(values, 0.75)]
  const slope = (high - low) / (2 * normalQuantile(0.75))
  return { slope, intercept: (low + high) / 2 }
}

/** The part of the line inside the frame. */
function segmentWithin(at: (x: number) => number, [x1, x2]: [number, number], [y1, y2]: [number, number]): QqPoint[] {
  const steps = Array.from({ length: 201 }, (_, index) => x1 + ((x2 - x1) * index) / 200)
  const inside = steps.map(x => ({ x, y: at(x) })).filter(({ y }) => y >= y1 && y <= y2)
  return [inside[0], inside.at(-1)].filter(point => point !== undefined)
}
