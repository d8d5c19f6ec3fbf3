import * as Plot from '@observablehq/plot'
import { sortedQuantile } from '../stats/index.ts'
import type { ChartOptions } from './chart.ts'
import { axisX, nameRoom, valueAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { extentOf, padded } from './drawing/interval.ts'
import { columns } from './drawing/interval-rows.ts'
import { axisLabel, decimalsFor, fixed, isDrawable } from './drawing/numbers.ts'
import { type Panel, panel } from './drawing/panel.ts'
import { baselineLabel, shortLabels } from './drawing/short-labels.ts'
import { evenly, spreadPoints } from './drawing/spread-points.ts'
import { tag } from './drawing/svg-text.ts'
import { textWidth } from './drawing/text-width.ts'
import { colors, fontSize, ink } from './drawing/theme.ts'

export interface DistributionsRow {
  readonly label: string
  readonly values: readonly number[]
  readonly isBaseline?: boolean
  /** Runs without a value. */
  readonly missing?: number
}

export interface DistributionsData {
  readonly metric: string
  readonly unit?: string
  readonly rows: readonly DistributionsRow[]
}

/**
 * Every value of every variant as a point, with the middle half as a box and the median as a line. For yes and no (1
 * and 0) there are two heaps, and the share of yes.
 */
export function distributionsChart(data: DistributionsData, options: ChartOptions): string {
  const width = options.width ?? 720
  const title = `${data.metric}: every run`
  const layout = layoutOf(data, width)
  if (layout === null) return nothingToDraw(title, 'No run has a value to draw.', { ...options, width })
  const described = layout.rows.map(({ row, texts }) =>
    layout.isYesNo
      ? `${row.label}: ${texts.n} values, ${texts.summary} of them 1`
      : `${row.label}: ${texts.n} values, median and middle half ${texts.summary}`,
  )
  const missing = layout.rows.filter(({ row }) => (row.missing ?? 0) > 0)
  return frame(
    {
      title,
      description: `${axisLabel(data.metric, data.unit)}. ${described.join('. ')}.`,
      legend: [
        { label: 'a run', color: colors.blue, sample: 'dot', symbol: 'circle' },
        ...(layout.isYesNo
          ? []
          : ([
              { label: 'the middle half of them; the line is the median', color: ink.quiet, sample: 'band' },
            ] as const)),
      ],
      panels: [[drawn(layout, options)]],
      notes:
        missing.length === 0
          ? []
          : [
              `Not drawn because they have no value: ${missing.map(({ row }) => `${row.missing} of ${row.label}`).join(', ')}.`,
            ],
    },
    { ...options, width },
  )
}

/** The position of each value inside the panel, row by row: for pages that react to the pointer. */
export function distributionPlaces(
  data: DistributionsData,
  { width = 720 }: { readonly width?: number },
): readonly (readonly { readonly x: number; readonly y: number }[])[] {
  const layout = layoutOf(data, width)
  return layout === null ? [] : layout.rows.map(({ places }) => places)
}

interface Layout {
  readonly width: number
  readonly height: number
  readonly margins: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }
  readonly domain: readonly [number, number]
  readonly label: string
  readonly x: (value: number) => number
  readonly rows: readonly LayoutRow[]
  readonly labelRoom: number
  readonly ends: readonly [number, number]
  readonly headings: readonly [string, string]
  /** Every value is 0 or 1. */
  readonly isYesNo: boolean
}

interface LayoutRow {
  readonly row: DistributionsRow
  readonly y: number
  readonly places: readonly { readonly x: number; readonly y: number }[]
  readonly quartiles: readonly [number, number, number] | null
  readonly texts: { readonly n: string; readonly summary: string }
}

const rowHeight = 46
const reach = 17
const columnGap = 14

function layoutOf({ metric, unit, rows }: DistributionsData, whole: number): Layout | null {
  const all = rows.flatMap(row => row.values.filter(isDrawable))
  const spread = extentOf(all)
  if (spread === null) return null
  const width = innerWidth(whole)
  const isYesNo = all.every(value => value === 0 || value === 1)
  const quartiles = rows.map(({ values }) => quartilesOf(values.filter(isDrawable)))
  const texts = textsOf(rows, quartiles, isYesNo)
  const headings = [isYesNo ? 'share of 1' : 'median [middle half]', 'n'] as const
  const widest = Math.max(...rows.map(row => textWidth(nameOf(row), fontSize.text)))
  const labelRoom = Math.ceil(Math.min(widest, width * 0.34))
  const columnWidth = (heading: string, cells: readonly string[]) =>
    Math.ceil(Math.max(textWidth(heading, fontSize.small), ...cells.map(cell => textWidth(cell, fontSize.text))))
  const first =
    columnGap +
    columnWidth(
      headings[0],
      texts.map(text => text.summary),
    )
  const second =
    columnGap +
    columnWidth(
      headings[1],
      texts.map(text => text.n),
    )
  const ends = [first, first + second] as const
  const margins = { left: labelRoom + 14, right: ends[1] + 4, top: 22, bottom: 46 }
  const domain: [number, number] = isYesNo ? [-0.35, 1.35] : padded(spread, 0.03)
  const x = (value: number) =>
    margins.left + ((value - domain[0]) / (domain[1] - domain[0])) * (width - margins.left - margins.right)
  return {
    width,
    height: margins.top + rowHeight * rows.length + margins.bottom,
    margins,
    domain,
    label: axisLabel(metric, unit),
    x,
    labelRoom,
    ends,
    headings,
    isYesNo,
    rows: rows.map((row, at) => {
      const y = margins.top + rowHeight * (at + 0.5)
      const offsets = spreadPoints(row.values)
      // A heap as wide as it is high, and wider with more values.
      const aside = (index: number) =>
        isYesNo ? (evenly(index + 1, 3) - 0.5) * 0.5 * Math.min(1, row.values.length / 60) : 0
      return {
        row,
        y,
        places: row.values.map((value, index) => ({
          x: x(value + aside(index)),
          y: y + reach * (offsets[index] ?? 0),
        })),
        quartiles: quartiles[at] ?? null,
        texts: texts[at] ?? { n: '0', summary: '–' },
      }
    }),
  }
}

function textsOf(
  rows: readonly DistributionsRow[],
  quartiles: readonly LayoutRow['quartiles'][],
  isYesNo: boolean,
): readonly LayoutRow['texts'][] {
  const decimals = decimalsFor(quartiles.flatMap(found => (found === null ? [] : [found[2] - found[0]])))
  return rows.map(({ values }, at) => {
    const known = values.filter(isDrawable)
    const found = quartiles[at] ?? null
    const n = String(known.length)
    if (found === null) return { n, summary: '–' }
    if (isYesNo) return { n, summary: `${fixed((100 * known.filter(value => value === 1).length) / known.length, 1)}%` }
    const [low, median, high] = found.map(value => fixed(value, decimals))
    return { n, summary: `${median} [${low}, ${high}]` }
  })
}

const nameOf = ({ label, isBaseline }: DistributionsRow) => (isBaseline === true ? baselineLabel(label) : label)

function quartilesOf(values: readonly number[]): LayoutRow['quartiles'] {
  if (values.length === 0) return null
  const ordered = Float64Array.from(values).sort()
  return [sortedQuantile(ordered, 0.25), sortedQuantile(ordered, 0.5), sortedQuantile(ordered, 0.75)]
}

function drawn(layout: Layout, options: ChartOptions): Panel {
  const { width, height, margins, domain, label, x, rows, labelRoom, ends, headings, isYesNo } = layout
  const indexed = rows.map((row, index) => ({ ...row, index }))
  const names = shortLabels(
    rows.map(({ row }) => nameOf(row)),
    fontSize.text,
    labelRoom + 1,
  )
  const about = Math.max(2, Math.min(7, (width - margins.left - margins.right) / 70))
  const axes = panel({
    document: options.document,
    width,
    height,
    marginLeft: margins.left,
    marginRight: margins.right,
    marginTop: margins.top,
    marginBottom: margins.bottom,
    x: { domain: [...domain] },
    y: { type: 'point', domain: indexed.map(row => row.index), padding: 0.5, axis: null },
    marks: [
      ...axisX(
        isYesNo ? { label, domain, ticks: [0, 1] } : valueAxis(label, domain, about),
        nameRoom(width, margins.left, margins.right),
      ),
      Plot.text(indexed, {
        y: 'index',
        frameAnchor: 'left',
        textAnchor: 'end',
        dx: -10,
        text: ({ index }) => names[index],
        title: ({ row }) => row.label,
        fill: ink.text,
      }),
      ...columns(
        indexed.map(({ index, texts }) => ({ index, cells: [texts.summary, texts.n] })),
        headings,
        ends,
      ),
    ],
  })
  return { ...axes, content: [axes.content, ...rows.flatMap(row => marksOf(row, x, isYesNo))].join('\n') }
}

/** All points of a row are one path of dots: ten thousand of them cost a page no more than one. */
function marksOf(
  { row, y, places, quartiles }: LayoutRow,
  x: (value: number) => number,
  isYesNo: boolean,
): readonly string[] {
  const seen = places.filter(place => isDrawable(place.x) && isDrawable(place.y))
  if (quartiles === null || seen.length === 0) return []
  const size = seen.length > 400 ? 2.6 : seen.length > 60 ? 4 : 5.6
  const points = tag('path', {
    d: seen.map(place => `M${rounded(place.x)},${rounded(place.y)}h.01`).join(''),
    stroke: row.isBaseline === true ? colors.grey : colors.blue,
    'stroke-opacity': seen.length > 60 ? 0.55 : 0.8,
    'stroke-width': size,
    'stroke-linecap': 'round',
    fill: 'none',
  })
  if (isYesNo) return [points]
  const [low, median, high] = quartiles.map(x) as [number, number, number]
  const [top, bottom] = [y - reach - 2, y + reach + 2]
  return [
    tag('rect', { x: low, y: top, width: Math.max(0.5, high - low), height: bottom - top, fill: ink.grid }),
    points,
    tag('line', { x1: median, x2: median, y1: top, y2: bottom, stroke: ink.text, 'stroke-width': 2 }),
  ]
}

const rounded = (value: number) => Math.round(value * 10) / 10
