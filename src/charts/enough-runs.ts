import * as Plot from '@observablehq/plot'
import { listed } from '../util/words.ts'
import type { ChartOptions, Range } from './chart.ts'
import { countAxis, valueAxis } from './drawing/axis.ts'
import { cutBand } from './drawing/cut-band.ts'
import { cutLine } from './drawing/cut-line.ts'
import { frame, gapBetweenPanels, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { clamped, drawableRange, extentOf, padded } from './drawing/interval.ts'
import type { LegendItem } from './drawing/legend.ts'
import { isDrawable, readable } from './drawing/numbers.ts'
import { type Panel, xyPanel } from './drawing/panel.ts'
import { colors, fontSize, ink, seriesStyle } from './drawing/theme.ts'

/** The coefficient of variation of the first n runs, as a share (0.05 is 5%). */
export interface VariancePoint {
  readonly n: number
  readonly cv: number | null
  readonly interval?: Range | null
}

export interface VarianceCurve {
  readonly label: string
  readonly points: readonly VariancePoint[]
  /** The number of runs from which the upper bound is below the threshold; null if these runs do not show it. */
  readonly enough: number | null
  /** Why there is no curve, or why an existing one is inconclusive. */
  readonly reason?: string | null
}

export interface VariancePanelsData {
  readonly metric: string
  /** As a share: 0.05 is 5%. */
  readonly threshold: number
  readonly auc: VarianceCurve
  /** null: the metric is not a series, and there is one panel. */
  readonly slope: VarianceCurve | null
  /** The meaning of the band around the curves, e.g. “95% confidence interval”. */
  readonly band?: string
  /** What is counted, if not runs: `tasks`. */
  readonly units?: string
}

/** The variation between runs against their number: the area under the curve on the left, its slope on the right. */
export function variancePanels(data: VariancePanelsData, options: ChartOptions): string {
  const width = options.width ?? 960
  const { units = 'runs' } = data
  const title = `Variation of ${data.metric} between ${units}`
  const looks = [
    { curve: data.auc, color: colors.blue, symbol: 'circle' } as const,
    ...(data.slope === null ? [] : [{ curve: data.slope, color: colors.orange, symbol: 'square' } as const]),
  ]
  if (looks.every(({ curve }) => isEmpty(curve)))
    return nothingToDraw(title, looks.map(({ curve }) => noteOf(curve, data.threshold, units)).join(' '), {
      ...options,
      width,
    })
  const isNarrow = width < 640 || looks.length === 1
  const panelWidth = isNarrow ? innerWidth(width) : (innerWidth(width) - gapBetweenPanels) / 2
  const hasBand = looks.some(({ curve }) => curve.points.some(point => drawableRange(point.interval) !== null))
  const items: LegendItem[] = [
    ...looks.map(
      ({ curve, color, symbol }): LegendItem => ({
        label: curve.label,
        color,
        symbol,
        sample: 'line',
        withBand: hasBand,
      }),
    ),
    ...(hasBand ? [{ label: data.band ?? 'interval', color: colors.grey, sample: 'band' } as const] : []),
    { label: `threshold ${readable(data.threshold * 100)}%`, color: colors.red, sample: 'line', dash: '7 4' },
    ...(looks.some(({ curve }) => curve.enough !== null)
      ? [{ label: 'shown to be under it', color: colors.green, sample: 'line', dash: '2 3' } as const]
      : []),
  ]
  const panels = looks.map(({ curve, color, symbol }) =>
    curvePanel(curve, { threshold: data.threshold, units }, color, symbol, panelWidth, options),
  )
  const notes = looks.map(({ curve }) => noteOf(curve, data.threshold, units))
  return frame(
    {
      title,
      description: notes.join(' '),
      legend: items,
      panels: isNarrow ? panels.map(one => [one]) : [panels],
      notes,
    },
    { ...options, width },
  )
}

const isEmpty = (curve: VarianceCurve) => !curve.points.some(point => isDrawable(point.cv))

function noteOf(curve: VarianceCurve, threshold: number, units: string): string {
  const { label, points, enough, reason } = curve
  if (isEmpty(curve)) return `${label}: nothing to draw${reason ? ` (${reason})` : ''}.`
  const under = `${readable(threshold * 100)}%`
  const finding =
    enough !== null
      ? `the upper bound is under ${under} from N = ${enough} on`
      : (reason ?? `not shown to be under ${under} within these ${points.at(-1)?.n} ${units}`)
  const undefinedAt = points.filter(point => !isDrawable(point.cv)).map(point => String(point.n))
  const gaps = undefinedAt.length > 0 ? ` Not defined at N = ${listed(undefinedAt, 5)}.` : ''
  const top = topOf(curve, threshold)
  const above = points.filter(point => isDrawable(point.cv) && point.cv * 100 > top)
  const cut = above.map(({ n, cv }) => `${readable((cv ?? 0) * 100)}% at N = ${n}`)
  return `${label}: ${finding}.${gaps}${cut.length === 0 ? '' : ` Above the frame: ${listed(cut, 5)}.`}`
}

/**
 * The top of the frame, in percent. The CV of two or three runs, and the bounds of a few more, can be enormous: if they
 * were in the frame, the rest would be invisible. So the later two thirds of the curve decide, with the final band.
 */
function topOf({ points }: VarianceCurve, threshold: number): number {
  const last = points.at(-1)?.n ?? 0
  const percents = (from: number) =>
    points.filter(({ n }) => n >= from).map(({ cv }) => (isDrawable(cv) ? cv * 100 : 0))
  const settled = Math.max(threshold * 100, ...percents(Math.max(3, last / 3)))
  // If the first values are not much larger, the whole curve fits.
  const whole = Math.max(settled, ...percents(0))
  const curveTop = whole <= 1.6 * settled ? whole : settled
  const bandTop = (points.map(({ interval }) => drawableRange(interval)?.high).findLast(isDrawable) ?? 0) * 100
  return 1.12 * Math.max(curveTop, Math.min(bandTop, 3 * curveTop)) || 1
}

function curvePanel(
  curve: VarianceCurve,
  { threshold, units }: { readonly threshold: number; readonly units: string },
  color: string,
  symbol: 'circle' | 'square',
  width: number,
  { document }: ChartOptions,
): Panel {
  const points = curve.points.map(({ n, cv, interval }) => {
    const range = drawableRange(interval)
    const percent = isDrawable(cv) ? cv * 100 : Number.NaN
    return {
      x: n,
      cv: percent,
      low: Math.max(0, range?.low ?? Number.NaN) * 100,
      high: (range?.high ?? Number.NaN) * 100,
    }
  })
  const top = topOf(curve, threshold)
  const within = points.filter(point => point.cv <= top)
  const runs = extentOf(points.map(point => point.x)) ?? { low: 1, high: 2 }
  const found = curve.enough === null ? [] : [curve.enough]
  return xyPanel({
    document,
    width,
    height: 330,
    marginTop: 30,
    x: countAxis(`number of ${units}`, [runs.low - 0.5, Math.max(runs.high, runs.low + 1) + 0.5], width / 26),
    y: valueAxis('coefficient of variation (%)', [0, top]),
    marks: [
      Plot.areaY(cutBand(points, top), { x: 'x', y1: 'low', y2: 'high', fill: color, fillOpacity: 0.18 }),
      Plot.ruleY([threshold * 100], { stroke: colors.red, strokeDasharray: '7 4', strokeWidth: 1.6 }),
      Plot.ruleX(found, { stroke: colors.green, strokeDasharray: '2 3', strokeWidth: 2 }),
      Plot.line(cutLine(points, top), { x: 'x', y: 'y', stroke: color, strokeWidth: 2 }),
      Plot.dot(within, { x: 'x', y: 'cv', fill: color, symbol, r: 4, stroke: ink.paper, strokeWidth: 0.75 }),
      Plot.text(found, {
        x: n => n,
        // At nine tenths of the height, unless the threshold runs through there.
        y: top * (Math.abs(threshold * 100 - 0.9 * top) < 0.08 * top ? 0.78 : 0.9),
        text: n => `N=${n}`,
        textAnchor: curve.enough !== null && curve.enough > (runs.low + runs.high) / 2 ? 'end' : 'start',
        dx: curve.enough !== null && curve.enough > (runs.low + runs.high) / 2 ? -7 : 7,
        fontWeight: 'bold',
        fontSize: 14,
        fill: colors.green,
        stroke: ink.paper,
        strokeWidth: 4,
      }),
      Plot.text([isEmpty(curve) ? 'nothing to draw' : ''], {
        frameAnchor: 'middle',
        fill: ink.quiet,
        fontSize: fontSize.text,
      }),
      Plot.text([curve.label], { frameAnchor: 'top-left', dy: -22, fontWeight: 'bold', fontSize: 13, fill: ink.text }),
    ],
  })
}

export interface PowerPoint {
  readonly n: number
  /** The probability of detecting the effect, 0 to 1. */
  readonly power: number | null
  readonly interval?: Range | null
}

export interface PowerSeries {
  /** The effect this curve is for, e.g. “d = 0.5”. */
  readonly label: string
  readonly points: readonly PowerPoint[]
  /** The smallest n that reaches the target; null if none of these does. */
  readonly needed?: number | null
}

export interface PowerCurveData {
  readonly curves: readonly PowerSeries[]
  /** e.g. 0.8. */
  readonly target: number
  readonly alpha?: number
  /** The unit of n, e.g. “pairs”, “runs per arm”. */
  readonly unit?: string
}

/** The probability of detecting an effect against the number of runs, with the target. */
export function powerCurve(data: PowerCurveData, options: ChartOptions): string {
  const width = options.width ?? 640
  const unit = data.unit ?? 'runs per arm'
  const title = `Power against number of ${unit}`
  const curves = data.curves.map((curve, index) => ({ ...curve, style: seriesStyle(index) }))
  const drawn = curves.filter(curve => curve.points.some(point => isDrawable(point.power)))
  if (drawn.length === 0) return nothingToDraw(title, 'There is no power to draw.', { ...options, width })
  const counts = extentOf(drawn.flatMap(curve => curve.points.map(point => point.n))) ?? { low: 0, high: 1 }
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height: 320,
    x: countAxis(`number of ${unit}`, counts.low < counts.high ? [counts.low, counts.high] : padded(counts), 8),
    y: valueAxis('power (%)', [0, 100]),
    marks: [
      ...drawn.map(({ points, style }) => bandOf(points, style.color)),
      Plot.ruleY([data.target * 100], { stroke: colors.red, strokeDasharray: '7 4', strokeWidth: 1.6 }),
      ...drawn.flatMap(({ points, needed, style }) => [
        Plot.ruleX(reachedAt(points, needed), {
          x: 'n',
          y1: 0,
          y2: percent,
          stroke: style.color,
          strokeDasharray: '2 3',
        }),
        Plot.line(points, {
          x: 'n',
          y: percent,
          stroke: style.color,
          strokeWidth: 2.2,
          ...(style.dash === undefined ? {} : { strokeDasharray: style.dash }),
        }),
        Plot.dot(points.length === 1 ? points : reachedAt(points, needed), {
          x: 'n',
          y: percent,
          fill: style.color,
          stroke: ink.paper,
          symbol: style.symbol,
          r: 4.5,
        }),
      ]),
    ],
  })
  const reached = (curve: PowerSeries) => {
    if (isDrawable(curve.needed)) return `${curve.label}: N = ${readable(curve.needed)}`
    return curve.needed === null ? `${curve.label}: target not reached` : curve.label
  }
  const missing = curves.filter(curve => !drawn.includes(curve)).map(curve => `${curve.label}: nothing to draw.`)
  const goal = `target ${readable(data.target * 100)}%`
  const content = {
    title,
    subtitle: data.alpha === undefined ? undefined : `chance to detect the effect at α = ${readable(data.alpha)}`,
    description: `Power against ${unit}, ${goal}. ${drawn.map(reached).join('. ')}.`,
    legend: [
      ...drawn.map(curve => ({ label: reached(curve), ...curve.style, sample: 'line' as const })),
      { label: goal, color: colors.red, sample: 'line' as const, dash: '7 4' },
    ],
    panels: [[chart]],
    notes: missing,
  }
  return frame(content, { ...options, width })
}

const percent = ({ power }: PowerPoint) => (isDrawable(power) ? power * 100 : Number.NaN)

/** The point of the curve at the required n, interpolated between two neighbours if necessary. */
function reachedAt(points: readonly PowerPoint[], needed: number | null | undefined): PowerPoint[] {
  const after = points.findIndex(point => isDrawable(needed) && point.n >= needed)
  const [left, right] = [points[after - 1] ?? points[after], points[after]]
  if (!isDrawable(needed) || !isDrawable(left?.power) || !isDrawable(right?.power) || right.n < needed) return []
  const share = right.n === left.n ? 1 : (needed - left.n) / (right.n - left.n)
  return share < 0 ? [] : [{ n: needed, power: left.power + share * (right.power - left.power) }]
}

function bandOf(points: readonly PowerPoint[], fill: string): Plot.Markish {
  const edge = (name: 'low' | 'high') => (point: PowerPoint) => {
    const range = drawableRange(point.interval)
    return range === null ? Number.NaN : clamped(range, [0, 1])[name] * 100
  }
  return Plot.areaY(points, { x: 'n', y1: edge('low'), y2: edge('high'), fill, fillOpacity: 0.15 })
}
