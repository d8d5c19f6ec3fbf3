import * as Plot from '@observablehq/plot'
import { listed } from '../util/words.ts'
import type { ChartOptions, Range } from './chart.ts'
import { type Axis, fittingAxis, valueAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { clamped, drawableRange, extentOf, padded } from './drawing/interval.ts'
import { axisLabel, isDrawable, withUnit } from './drawing/numbers.ts'
import { xyMargins, xyPanel } from './drawing/panel.ts'
import { type Box, placeLabels } from './drawing/place-labels.ts'
import { baselineLabel, shortLabels } from './drawing/short-labels.ts'
import { colors, fontSize, ink } from './drawing/theme.ts'

export interface ParetoPoint {
  readonly label: string
  readonly cost: number | null
  readonly score: number | null
  readonly costInterval?: Range | null
  readonly scoreInterval?: Range | null
  readonly isBaseline?: boolean
}

export interface ParetoData {
  readonly cost: { readonly label: string; readonly unit?: string }
  readonly score: { readonly label: string; readonly unit?: string; readonly goal?: 'maximize' | 'minimize' }
  readonly points: readonly ParetoPoint[]
}

type Drawn = ParetoPoint & { readonly cost: number; readonly score: number }

const height = 380

/** Cost against score: the front contains the variants that no other beats in both. */
export function paretoChart(data: ParetoData, options: ChartOptions): string {
  const width = options.width ?? 720
  const title = `${data.score.label} against ${data.cost.label}`
  const drawn = data.points.filter((point): point is Drawn => isDrawable(point.cost) && isDrawable(point.score))
  if (drawn.length === 0) return nothingToDraw(title, 'No variant has both a cost and a score.', { ...options, width })
  const front = frontOf(drawn, data.score.goal ?? 'maximize')
  const scales = {
    x: padded(
      extentOf(drawn.flatMap(point => [point.cost, point.costInterval?.low, point.costInterval?.high])) ?? zeroToOne,
      0.08,
    ),
    y: padded(
      extentOf(drawn.flatMap(point => [point.score, point.scoreInterval?.low, point.scoreInterval?.high])) ?? zeroToOne,
      0.1,
    ),
  }
  // A cost is never below 0: no room for it.
  if (drawn.every(point => point.cost >= 0)) scales.x[0] = Math.max(0, scales.x[0])
  const axes = {
    x: fittingAxis(axisLabel(data.cost.label, data.cost.unit), scales.x, innerWidth(width) - 80),
    y: valueAxis(axisLabel(data.score.label, data.score.unit), scales.y, 7),
  }
  const margins = xyMargins(axes.y)
  const ordered = [...front, ...drawn.filter(point => !front.includes(point))]
  const labels = labelsOf(ordered, front, axes, innerWidth(width))
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height,
    ...axes,
    marks: [
      Plot.line(front, {
        x: 'cost',
        y: 'score',
        stroke: colors.orange,
        strokeOpacity: 0.7,
        strokeWidth: 1.8,
        curve: 'step-after',
      }),
      ...intervalsOf(drawn, front, axes),
      ...ordered.map(point =>
        Plot.dot([point], {
          x: 'cost',
          y: 'score',
          r: 5,
          symbol: point.isBaseline === true ? 'square' : 'circle',
          fill: front.includes(point) ? colors.blue : ink.paper,
          stroke: front.includes(point) ? colors.blue : colors.grey,
          strokeWidth: 1.8,
          title: 'label',
        }),
      ),
      ...labels.flatMap(label =>
        label === null
          ? []
          : [
              Plot.text([label], {
                frameAnchor: 'top-left',
                textAnchor: label.anchor,
                lineAnchor: 'middle',
                dx: label.x - margins.marginLeft,
                dy: label.y - margins.marginTop,
                text: 'text',
                fill: ink.text,
                stroke: ink.paper,
                strokeWidth: 3,
                fontSize: fontSize.small,
              }),
            ],
      ),
    ],
  })
  const unlabelled = ordered.filter((_, index) => labels[index] === null)
  const missing = data.points.filter(point => !isDrawable(point.cost) || !isDrawable(point.score))
  const names = (points: readonly ParetoPoint[]) =>
    listed(
      points.map(point => point.label),
      7,
    )
  const hidden =
    unlabelled.length <= mostNamed
      ? `Labels hidden to avoid overlap: ${names(unlabelled)}.`
      : `${unlabelled.length} labels are hidden to avoid overlap; the table has all.`
  const content = {
    title,
    description: `On the front: ${front.map(point => `${point.label} (${withUnit(point.cost, data.cost.unit)}, ${withUnit(point.score, data.score.unit)})`).join(', ')}.`,
    legend: [
      { label: 'on the Pareto front', color: colors.blue, sample: 'dot' as const, symbol: 'circle' as const },
      {
        label: 'dominated by another',
        color: colors.grey,
        sample: 'dot' as const,
        symbol: 'circle' as const,
        isHollow: true,
      },
      { label: 'front', color: colors.orange, sample: 'line' as const },
    ],
    panels: [[chart]],
    notes: [
      ...(unlabelled.length > 0 ? [hidden] : []),
      ...(missing.length > 0 ? [`Not drawn, without cost or score: ${names(missing)}.`] : []),
    ],
  }
  return frame(content, { ...options, width })
}

/** A list of more names would be longer than the picture is high. */
const mostNamed = 3

const zeroToOne: Range = { low: 0, high: 1 }

/** From cheap to expensive, each better than all cheaper ones; equal points share a place. */
function frontOf(points: readonly Drawn[], goal: 'maximize' | 'minimize'): Drawn[] {
  const gain = (point: Drawn) => (goal === 'maximize' ? point.score : -point.score)
  const beats = (a: Drawn, b: Drawn) => a.cost <= b.cost && gain(a) >= gain(b) && (a.cost < b.cost || gain(a) > gain(b))
  return points
    .filter(point => !points.some(other => beats(other, point)))
    .sort((a, b) => a.cost - b.cost || gain(a) - gain(b))
}

function intervalsOf(points: readonly Drawn[], front: readonly Drawn[], { x, y }: Axes): Plot.Markish[] {
  return points.flatMap(point => {
    const look = { stroke: front.includes(point) ? colors.blue : colors.grey, strokeWidth: 1.3, strokeOpacity: 0.7 }
    return [
      Plot.ruleX(inFrame(point, point.scoreInterval, y.domain), { x: 'cost', y1: 'low', y2: 'high', ...look }),
      Plot.ruleY(inFrame(point, point.costInterval, x.domain), { y: 'score', x1: 'low', x2: 'high', ...look }),
    ]
  })
}

type Axes = { readonly x: Axis; readonly y: Axis }

function inFrame(
  point: Drawn,
  interval: Range | null | undefined,
  domain: readonly [number, number],
): (Drawn & Range)[] {
  const range = drawableRange(interval)
  return range === null ? [] : [{ ...point, ...clamped(range, domain) }]
}

function labelsOf(points: readonly Drawn[], front: readonly Drawn[], axes: Axes, width: number) {
  const margins = xyMargins(axes.y)
  const [xs, ys] = [axes.x.domain, axes.y.domain]
  const within: Box = {
    left: margins.marginLeft,
    right: width - margins.marginRight,
    top: margins.marginTop,
    bottom: height - margins.marginBottom,
  }
  const x = (cost: number) => within.left + ((cost - xs[0]) / (xs[1] - xs[0])) * (within.right - within.left)
  const y = (score: number) => within.bottom - ((score - ys[0]) / (ys[1] - ys[0])) * (within.bottom - within.top)
  const whiskers = points.flatMap((point): Box[] => {
    const [px, py] = [x(point.cost), y(point.score)]
    return [
      ...inFrame(point, point.scoreInterval, ys).map(({ low, high }) => ({
        left: px - 2,
        right: px + 2,
        top: y(high),
        bottom: y(low),
      })),
      ...inFrame(point, point.costInterval, xs).map(({ low, high }) => ({
        left: x(low),
        right: x(high),
        top: py - 2,
        bottom: py + 2,
      })),
    ]
  })
  const steps = front.flatMap((point, index): Box[] => {
    const next = front[index + 1]
    if (next === undefined) return []
    const [x1, y1, x2, y2] = [x(point.cost), y(point.score), x(next.cost), y(next.score)]
    return [
      { left: x1, right: x2, top: y1 - 2, bottom: y1 + 2 },
      { left: x2 - 2, right: x2 + 2, top: Math.min(y1, y2), bottom: Math.max(y1, y2) },
    ]
  })
  const labels = shortLabels(
    points.map(point => (point.isBaseline === true ? baselineLabel(point.label) : point.label)),
    fontSize.small,
    width * 0.35,
  )
  const named = points.map((point, at) => ({ x: x(point.cost), y: y(point.score), label: labels[at] ?? '' }))
  return placeLabels(named, { size: fontSize.small, within, avoid: [...whiskers, ...steps] })
}
