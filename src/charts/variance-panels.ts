import * as Plot from '@observablehq/plot'
import { countAxis, valueAxis } from './drawing/axis.ts'
import { cutBand } from './drawing/cut-band.ts'
import { type ChartOptions, frame, gapBetweenPanels, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { drawableRange, extentOf, type Range } from './drawing/interval.ts'
import type { LegendItem } from './drawing/legend.ts'
import { isDrawable, readable } from './drawing/numbers.ts'
import { type Panel, xyPanel } from './drawing/panel.ts'
import { colors, fontSize, ink } from './drawing/theme.ts'

/** The coefficient of variation of the first n runs, as a share (0.05 is 5 %). */
export interface VariancePoint {
  readonly n: number
  readonly cv: number | null
  readonly interval?: Range | null
}

export interface VarianceCurve {
  readonly label: string
  readonly points: readonly VariancePoint[]
  /** The smallest number of runs that is enough; null when these runs do not show one. */
  readonly enough: number | null
  /** Why there is no curve, where there is none. */
  readonly reason?: string | null
}

export interface VariancePanelsData {
  readonly metric: string
  /** As a share: 0.05 is 5 %. */
  readonly threshold: number
  readonly auc: VarianceCurve
  readonly slope: VarianceCurve
  /** What the band around the curves is, e.g. “95 % confidence interval”. */
  readonly band?: string
}

/** How much runs differ, against how many there are: the area under the curve on the left, its slope on the right. */
export function variancePanels(data: VariancePanelsData, options: ChartOptions): string {
  const width = options.width ?? 960
  const title = `Variation of ${data.metric} between runs`
  const looks = [
    { curve: data.auc, color: colors.blue, symbol: 'circle' },
    { curve: data.slope, color: colors.orange, symbol: 'square' },
  ] as const
  if (looks.every(({ curve }) => isEmpty(curve)))
    return nothingToDraw(title, looks.map(({ curve }) => noteOf(curve)).join(' '), { ...options, width })
  const isNarrow = width < 640
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
    { label: `threshold ${readable(data.threshold * 100)} %`, color: colors.red, sample: 'line', dash: '7 4' },
    { label: 'enough runs', color: colors.green, sample: 'line', dash: '2 3' },
  ]
  const panels = looks.map(({ curve, color, symbol }) =>
    curvePanel(curve, data.threshold, color, symbol, panelWidth, options),
  )
  const notes = looks.map(({ curve }) => noteOf(curve))
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

function noteOf(curve: VarianceCurve): string {
  if (isEmpty(curve)) return `${curve.label}: nothing to draw${curve.reason ? ` (${curve.reason})` : ''}.`
  const undefinedAt = curve.points.filter(point => !isDrawable(point.cv)).map(point => point.n)
  const gaps = undefinedAt.length > 0 ? ` Not defined at N = ${listed(undefinedAt)}.` : ''
  const runs = curve.points.at(-1)?.n
  if (curve.enough === null) return `${curve.label}: not under the threshold within these ${runs} runs.${gaps}`
  return `${curve.label}: ${curve.enough} runs are enough.${gaps}`
}

const listed = (numbers: readonly number[]) =>
  numbers.length > 6 ? `${numbers.slice(0, 5).join(', ')}, … ${numbers.at(-1)}` : numbers.join(', ')

function curvePanel(
  curve: VarianceCurve,
  threshold: number,
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
  // The bounds for two or three runs are enormous; with them in the frame nobody would see the rest.
  const curveTop = extentOf([...points.map(point => point.cv), threshold * 100])?.high ?? 1
  const bandTop = points.findLast(point => isDrawable(point.high))?.high ?? 0
  const top = 1.12 * Math.max(curveTop, Math.min(bandTop, 3 * curveTop))
  const runs = extentOf(points.map(point => point.x)) ?? { low: 1, high: 2 }
  const found = curve.enough === null ? [] : [curve.enough]
  return xyPanel({
    document,
    width,
    height: 330,
    marginTop: 30,
    x: countAxis('number of runs', [runs.low - 0.5, Math.max(runs.high, runs.low + 1) + 0.5], width / 26),
    y: valueAxis('coefficient of variation (%)', [0, top]),
    marks: [
      Plot.areaY(cutBand(points, top), { x: 'x', y1: 'low', y2: 'high', fill: color, fillOpacity: 0.18 }),
      Plot.ruleY([threshold * 100], { stroke: colors.red, strokeDasharray: '7 4', strokeWidth: 1.6 }),
      Plot.ruleX(found, { stroke: colors.green, strokeDasharray: '2 3', strokeWidth: 2 }),
      Plot.line(points, { x: 'x', y: 'cv', stroke: color, strokeWidth: 2 }),
      Plot.dot(points, { x: 'x', y: 'cv', fill: color, symbol, r: 4, stroke: ink.paper, strokeWidth: 0.75 }),
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
