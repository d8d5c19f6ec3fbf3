import * as Plot from '@observablehq/plot'
import type { ChartOptions, Range } from './chart.ts'
import { countAxis, valueAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { clamped, drawableRange, extentOf, padded } from './drawing/interval.ts'
import { axisLabel, isDrawable } from './drawing/numbers.ts'
import { xyPanel } from './drawing/panel.ts'
import { seriesStyle } from './drawing/theme.ts'

export interface CurvePoint {
  readonly step: number
  readonly mean: number | null
  readonly interval?: Range | null
}

/** One arm: the mean over its runs, and the runs themselves if they are shown. */
export interface LearningCurve {
  readonly label: string
  readonly n: number
  /** The unit of n, e.g. “seeds”; default: runs. */
  readonly units?: string
  readonly points: readonly CurvePoint[]
  readonly runs?: readonly (readonly { readonly step: number; readonly value: number | null }[])[]
}

export interface LearningCurvesData {
  readonly metric: string
  readonly unit?: string
  readonly stepLabel?: string
  readonly curves: readonly LearningCurve[]
  /** Steps are counts: no tick at 2.5. */
  readonly isCount?: boolean
  /** The possible values, e.g. from 0 to 100; otherwise the range of the curves. */
  readonly range?: readonly [number, number]
  /** The meaning of a curve, if it is not a mean over runs. */
  readonly subtitle?: string
  /** The meaning of the bands, e.g. “95% pointwise confidence band”. */
  readonly band?: string
}

/** The mean of every arm over the steps, with its band. */
export function learningCurves(data: LearningCurvesData, options: ChartOptions): string {
  const width = options.width ?? 720
  const title = `${data.metric} over ${data.stepLabel ?? 'steps'}`
  const curves = data.curves.map((curve, index) => ({ ...curve, style: seriesStyle(index) }))
  const drawn = curves.filter(curve => curve.points.some(point => isDrawable(point.mean)))
  if (drawn.length === 0) return nothingToDraw(title, 'No arm has a point to draw.', { ...options, width })
  const shown = drawn.flatMap(curve => curve.points.filter(point => isDrawable(point.mean)))
  const all = [...shown, ...drawn.flatMap(({ runs = [] }) => runs.flat())].map(point => point.step)
  const steps = extentOf(all) ?? { low: 0, high: 1 }
  // Means of runs that reported at different steps lie between them, too.
  const reported = drawn.flatMap(({ runs = [] }) => runs.flat()).map(point => point.step)
  const isCount = data.isCount ?? (reported.length > 0 ? reported : all).every(Number.isInteger)
  const domain = data.range ?? padded(valuesShown(drawn))
  const hasBand = drawn.some(curve => curve.points.some(point => drawableRange(point.interval) !== null))
  const marks = [
    ...drawn.flatMap(({ runs, style }) => (runs ?? []).map(run => thinLine(run, style.color))),
    ...drawn.map(({ points, style }) => bandOf(points, style.color, domain)),
    ...drawn.flatMap(({ points, style }) => meanOf(points, style, domain)),
  ]
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height: 360,
    x: stepAxis({ ...data, isCount }, steps.low < steps.high ? [steps.low, steps.high] : padded(steps)),
    y: valueAxis(axisLabel(data.metric, data.unit), domain),
    marks,
  })
  const missing = curves.filter(curve => !drawn.includes(curve)).map(curve => `${curve.label} has no point to draw.`)
  const content = {
    title,
    subtitle:
      data.subtitle ?? `mean over ${drawn[0]?.units ?? 'runs'}${hasBand ? ` with ${data.band ?? 'interval'}` : ''}`,
    description: `${data.subtitle === undefined ? `Mean ${data.metric}` : data.metric} over ${data.stepLabel ?? 'steps'} of ${drawn.map(curve => `${curve.label} (${curve.n} ${curve.units ?? 'runs'})`).join(', ')}.`,
    legend: drawn.map(({ label, n, style }) => ({
      label: `${label} (n = ${n})`,
      color: style.color,
      dash: style.dash,
      sample: 'line' as const,
      withBand: hasBand,
    })),
    panels: [[chart]],
    notes: missing,
  }
  return frame(content, { ...options, width })
}

/** Means and runs in full; bands only if they leave the curves half of the height, otherwise they are cut. */
function valuesShown(curves: readonly LearningCurve[]): Range {
  const lines = extentOf(
    curves.flatMap(({ points, runs = [] }) => [
      ...points.map(point => point.mean),
      ...runs.flatMap(run => run.map(point => point.value)),
    ]),
  ) ?? { low: 0, high: 1 }
  const bands = extentOf(
    curves.flatMap(({ points }) =>
      points.flatMap(({ mean, interval }) => {
        const range = isDrawable(mean) ? drawableRange(interval) : null
        return range === null ? [] : [range.low, range.high]
      }),
    ),
  )
  const room = (lines.high - lines.low) / 2
  if (bands === null || room === 0) return bands ?? lines
  // Bands that reach beyond on both sides everywhere would be a grey field without an edge.
  const hasEdge = curves.some(({ points }) =>
    points.some(({ interval }) => {
      const range = drawableRange(interval)
      return range !== null && (range.low > lines.low - room || range.high < lines.high + room)
    }),
  )
  if (!hasEdge) return bands
  return {
    low: Math.min(lines.low, Math.max(bands.low, lines.low - room)),
    high: Math.max(lines.high, Math.min(bands.high, lines.high + room)),
  }
}

const stepAxis = ({ stepLabel = 'step', isCount }: LearningCurvesData, domain: readonly [number, number]) =>
  isCount === true ? countAxis(stepLabel, domain, 8) : valueAxis(stepLabel, domain)

function thinLine(
  run: readonly { readonly step: number; readonly value: number | null }[],
  stroke: string,
): Plot.Markish {
  const place = { x: 'step', y: (point: (typeof run)[number]) => gap(point.value) }
  // A single step makes no line.
  return run.length === 1
    ? Plot.dot(run, { ...place, stroke, strokeOpacity: 0.5, r: 2.5 })
    : Plot.line(run, { ...place, stroke, strokeOpacity: 0.25, strokeWidth: 0.8 })
}

function bandOf(points: readonly CurvePoint[], fill: string, domain: readonly [number, number]): Plot.Markish {
  const edge = (name: 'low' | 'high') => (point: CurvePoint) => {
    const range = drawableRange(point.interval)
    return range === null ? Number.NaN : clamped(range, domain)[name]
  }
  return Plot.areaY(points, { x: 'step', y1: edge('low'), y2: edge('high'), fill, fillOpacity: 0.18 })
}

/** A mean between two gaps is a dot: a line needs two points. */
function meanOf(
  points: readonly CurvePoint[],
  { color, dash }: { color: string; dash: string | undefined },
  domain: readonly [number, number],
): Plot.Markish[] {
  const isAlone = (_: CurvePoint, index: number) =>
    !isDrawable(points[index - 1]?.mean) && !isDrawable(points[index + 1]?.mean)
  const place = { x: 'step', y: (point: CurvePoint) => gap(point.mean) }
  const line = dash === undefined ? {} : { strokeDasharray: dash }
  const alone = points.filter(isAlone)
  const known = alone.flatMap(point => {
    const range = drawableRange(point.interval)
    return range === null || !isDrawable(point.mean) ? [] : [{ step: point.step, ...clamped(range, domain) }]
  })
  return [
    Plot.ruleX(known, { x: 'step', y1: 'low', y2: 'high', stroke: color, strokeOpacity: 0.5, strokeWidth: 3 }),
    Plot.line(points, { ...place, stroke: color, strokeWidth: 2.2, ...line }),
    Plot.dot(alone, { ...place, fill: color, r: 3.5 }),
  ]
}

const gap = (value: number | null | undefined) => (isDrawable(value) ? value : Number.NaN)
