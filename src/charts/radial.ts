import * as Plot from '@observablehq/plot'
import type { ChartOptions, Range } from './chart.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { drawableRange, type Measured } from './drawing/interval.ts'
import { isDrawable, readable } from './drawing/numbers.ts'
import { panel } from './drawing/panel.ts'
import { baselineLabel } from './drawing/short-labels.ts'
import { shortened } from './drawing/text-width.ts'
import { fontSize, ink, type SeriesStyle, seriesStyle } from './drawing/theme.ts'

export interface RadialAxis {
  readonly metric: string
  readonly goal: 'maximize' | 'minimize'
}

/** A variant's metric divided by the baseline's, in the order of the axes. */
export interface RadialVariant {
  readonly label: string
  readonly ratios: readonly Measured[]
}

export interface RadialData {
  readonly baseline: string
  readonly axes: readonly RadialAxis[]
  readonly variants: readonly RadialVariant[]
  readonly intervalLabel?: string
}

interface Spoke {
  readonly radius: number | null
  readonly range: Range | null
}

/** One axis per metric. Outward is better on every axis: if less is better, the ratio is inverted. */
export function radialChart(data: RadialData, options: ChartOptions): string {
  const width = options.width ?? 600
  const title = `Variants relative to ${data.baseline}`
  const variants = data.variants.map(({ label, ratios }, index) => ({
    label,
    style: seriesStyle(index),
    spokes: data.axes.map((axis, at) => outward(ratios[at], axis.goal)),
  }))
  const radii = variants.flatMap(({ spokes }) => spokes.flatMap(spoke => (spoke.radius === null ? [] : [spoke.radius])))
  const notes = missingNotes(data, variants)
  if (radii.length === 0)
    return nothingToDraw(title, ['There is no ratio to draw.', ...notes].join(' '), { ...options, width })
  const highs = variants.flatMap(({ spokes }) =>
    spokes.flatMap(spoke => (spoke.range === null ? [] : [spoke.range.high])),
  )
  // A single wide interval must not shrink everything else to a dot in the middle.
  const edge = Math.max(
    1.2,
    1.1 * Math.max(...radii),
    Math.min(1.05 * Math.max(0, ...highs), 1.8 * Math.max(1, ...radii)),
  )
  const isCut = highs.some(high => high > edge)
  const rings = ringsUpTo(edge)
  const place = polar(data.axes.length)
  const size = innerWidth(width)
  const side = 110
  const marks = [
    ...rings.map(ring =>
      Plot.line(circle(ring), {
        x: 'x',
        y: 'y',
        ...(ring === 1 ? { stroke: ink.text, strokeWidth: 1.6 } : { stroke: ink.grid }),
      }),
    ),
    Plot.link(data.axes, {
      x1: 0,
      y1: 0,
      x2: (_, at) => place(at, edge).x,
      y2: (_, at) => place(at, edge).y,
      stroke: ink.axis,
      strokeWidth: 0.8,
    }),
    ...variants.flatMap((variant, index) =>
      shape(variant, place, edge, (index - (variants.length - 1) / 2) * 0.05 * edge),
    ),
    Plot.text(rings, {
      x: ring => place(-0.5, ring).x,
      y: ring => place(-0.5, ring).y,
      text: readable,
      fontSize: 10,
      fill: ink.quiet,
      stroke: ink.paper,
      strokeWidth: 3,
    }),
    ...data.axes.map((axis, at) => axisName(axis, place(at, edge * 1.07), edge)),
  ]
  const bottom = data.axes.some((_, at) => place(at, 1).y < -0.9) ? 44 : 10
  const height = size - 2 * side + 44 + bottom
  const chart = panel({
    document: options.document,
    width: size,
    height,
    margin: 0,
    marginLeft: side,
    marginRight: side,
    marginTop: 44,
    marginBottom: bottom,
    x: { domain: [-edge, edge], axis: null },
    y: { domain: [-edge, edge], axis: null },
    marks,
  })
  const content = {
    title,
    subtitle: `outward is better; ${data.baseline} = 1${data.intervalLabel === undefined ? '' : `; ${data.intervalLabel}`}`,
    description: variants
      .map(
        ({ label, spokes }) =>
          `${label}: ${spokes.map((spoke, at) => `${data.axes[at]?.metric} ${spoke.radius === null ? 'no value' : readable(spoke.radius)}`).join(', ')}`,
      )
      .join('. '),
    legend: [
      ...variants.map(({ label, style }) => ({ label, ...style, sample: 'line' as const })),
      { label: baselineLabel(data.baseline), color: ink.text, sample: 'line' as const },
    ],
    panels: [[chart]],
    notes: [...notes, ...(isCut ? ['An interval that ends at the rim continues beyond it.'] : [])],
  }
  return frame(content, { ...options, width })
}

/** Twice as fast and half the cost are both 2. A ratio of 0 or less has no place on this scale. */
function outward(ratio: Measured | undefined, goal: RadialAxis['goal']): Spoke {
  if (!isDrawable(ratio?.value) || (goal === 'minimize' && ratio.value <= 0) || ratio.value < 0)
    return { radius: null, range: null }
  const range = drawableRange(ratio.interval)
  if (goal === 'maximize')
    return { radius: ratio.value, range: range === null ? null : { low: Math.max(0, range.low), high: range.high } }
  const turned =
    range === null ? null : { low: 1 / range.high, high: range.low > 0 ? 1 / range.low : Number.POSITIVE_INFINITY }
  return { radius: 1 / ratio.value, range: turned }
}

interface Place {
  readonly x: number
  readonly y: number
}

/** The first axis points up, the others follow clockwise; `aside` moves across the axis, so that intervals don't cover each other. */
const polar =
  (axes: number) =>
  (axis: number, radius: number, aside = 0): Place => {
    const angle = Math.PI / 2 - (2 * Math.PI * axis) / axes
    return {
      x: radius * Math.cos(angle) + aside * Math.sin(angle),
      y: radius * Math.sin(angle) - aside * Math.cos(angle),
    }
  }

const circle = (radius: number) => Array.from({ length: 73 }, (_, at) => polar(72)(at, radius))

function ringsUpTo(edge: number): number[] {
  const step = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100].find(size => edge / size <= 5) ?? edge / 4
  const rings = Array.from({ length: Math.floor(edge / step) }, (_, at) => (at + 1) * step)
  return [...new Set([...rings, 1])].sort((a, b) => a - b)
}

function shape(
  { spokes, style }: { readonly spokes: readonly Spoke[]; readonly style: SeriesStyle },
  place: ReturnType<typeof polar>,
  edge: number,
  aside: number,
): Plot.Markish[] {
  const nowhere: Place = { x: Number.NaN, y: Number.NaN }
  const corners = spokes.map((spoke, at) => (spoke.radius === null ? nowhere : place(at, spoke.radius)))
  const ring = [...corners, corners[0] ?? nowhere]
  const half = 0.018 * edge
  const intervals = spokes.flatMap(({ range }, at) => {
    if (range === null) return []
    const [low, high] = [range.low, Math.min(range.high, edge)]
    const cap = (radius: number) => [place(at, radius, aside - half), place(at, radius, aside + half)]
    // An interval beyond the rim has no end to mark.
    return [[place(at, low, aside), place(at, high, aside)], cap(low), ...(range.high > edge ? [] : [cap(high)])]
  })
  const dash = style.dash === undefined ? {} : { strokeDasharray: style.dash }
  return [
    Plot.line(ring, { x: 'x', y: 'y', stroke: style.color, strokeWidth: 2, strokeLinejoin: 'round', ...dash }),
    ...intervals.map(line => Plot.line(line, { x: 'x', y: 'y', stroke: style.color, strokeWidth: 1.6 })),
    Plot.dot(
      corners.filter(corner => isDrawable(corner.x)),
      { x: 'x', y: 'y', r: 4, fill: style.color, stroke: ink.paper, symbol: style.symbol },
    ),
  ]
}

function axisName({ metric, goal }: RadialAxis, { x, y }: Place, edge: number): Plot.Markish {
  const isMiddle = Math.abs(x) < 0.1 * edge
  const text = `${shortened(metric, fontSize.text, isMiddle ? 240 : 104)}\n${goal === 'maximize' ? '(more is better)' : '(less is better)'}`
  return Plot.text([{ x, y, metric }], {
    x: 'x',
    y: 'y',
    text: [text],
    title: 'metric',
    lineHeight: 1.15,
    textAnchor: isMiddle ? 'middle' : x > 0 ? 'start' : 'end',
    lineAnchor: y > 0.5 * edge ? 'bottom' : y < -0.5 * edge ? 'top' : 'middle',
    fill: ink.text,
  })
}

function missingNotes(
  data: RadialData,
  variants: readonly { readonly label: string; readonly spokes: readonly Spoke[] }[],
): string[] {
  return variants.flatMap(({ label, spokes }, index) =>
    spokes.flatMap((spoke, at) => {
      const reason = data.variants[index]?.ratios[at]?.reason
      return spoke.radius === null ? [`${label} has no ${data.axes[at]?.metric}${reason ? `: ${reason}` : ''}.`] : []
    }),
  )
}
