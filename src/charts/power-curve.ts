import * as Plot from '@observablehq/plot'
import type { ChartOptions, Range } from './chart.ts'
import { countAxis, valueAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { clamped, drawableRange, extentOf, padded } from './drawing/interval.ts'
import { isDrawable, readable } from './drawing/numbers.ts'
import { xyPanel } from './drawing/panel.ts'
import { colors, ink, seriesStyle } from './drawing/theme.ts'

export interface PowerPoint {
  readonly n: number
  /** The chance of detecting the effect, 0 to 1. */
  readonly power: number | null
  readonly interval?: Range | null
}

export interface PowerSeries {
  /** The effect this curve is for, e.g. “d = 0.5”. */
  readonly label: string
  readonly points: readonly PowerPoint[]
  /** The smallest n that reaches the target; null when none of these does. */
  readonly needed?: number | null
}

export interface PowerCurveData {
  readonly curves: readonly PowerSeries[]
  /** e.g. 0.8. */
  readonly target: number
  readonly alpha?: number
  /** What n counts, e.g. “pairs”, “runs per arm”. */
  readonly unit?: string
}

/** The chance of detecting an effect against the number of runs, with the target. */
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

/** The point of the curve at the n that is needed, between two neighbours if it is not one of its own. */
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
