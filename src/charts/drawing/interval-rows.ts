import * as Plot from '@observablehq/plot'
import type { ChartDocument, Range } from '../chart.ts'
import { axisX, countAxis, nameRoom, valueAxis } from './axis.ts'
import { clamped, drawableRange } from './interval.ts'
import { isDrawable } from './numbers.ts'
import { type Panel, panel } from './panel.ts'
import { shortLabels } from './short-labels.ts'
import { boldWidth, shortened, textWidth } from './text-width.ts'
import { fontSize, ink, type SeriesStyle } from './theme.ts'

/** One line of a table that is also a chart: its name, a mark with its interval, and its numbers as text. */
export interface IntervalRow {
  readonly label: string
  readonly value: number | null
  readonly interval?: Range | null | undefined
  readonly reason?: string | null | undefined
  readonly color: string
  readonly symbol?: SeriesStyle['symbol']
  readonly isHollow?: boolean
  readonly isBold?: boolean
  /** The columns at the right, as many as there are headings. */
  readonly cells: readonly string[]
}

export interface IntervalRowsOptions {
  readonly document: ChartDocument
  readonly width: number
  readonly rows: readonly IntervalRow[]
  readonly mark: 'dot' | 'bar'
  readonly axis: string
  readonly domain: readonly [number, number]
  /** The values are counts. */
  readonly isCount?: boolean
  readonly headings: readonly string[]
  /** The minimum width, so that panels with different numbers have equal scales. */
  readonly columnWidth?: number
  /** Drawn behind the rows: reference lines, margins. */
  readonly behind?: readonly Plot.Markish[]
  /** Drawn over bars, which would hide it. */
  readonly over?: readonly Plot.Markish[]
  readonly heading?: string
  /** Without names, next to a panel that has them. */
  readonly hideLabels?: boolean
}

const rowHeight = 26
const labelGap = 10
const columnGap = 13

/** As much as the longest name needs, but never more than two fifths of the width. */
export function labelRoom(rows: readonly IntervalRow[], width: number): number {
  return Math.ceil(Math.min(Math.max(0, ...rows.map(nameWidth)), width * 0.4))
}

const nameWidth = ({ label, isBold }: IntervalRow): number =>
  textWidth(label, fontSize.text, isBold === true ? 'bold' : 'normal')

/** On a narrower picture, names and numbers beside a plot would leave no room for it. */
const narrow = 460

export function intervalRows(options: IntervalRowsOptions): Panel {
  const { document, width, rows, headings, domain, mark } = options
  const isNarrow = width < narrow && mark === 'dot' && options.hideLabels !== true
  if (isNarrow) return stackedRows(options)
  const labels = options.hideLabels === true ? 0 : labelRoom(rows, width)
  const ends = columnEnds(rows, headings, options.columnWidth ?? 0)
  const marginLeft = labels + labelGap + 4
  const marginRight = (ends.at(-1) ?? 0) + columnGap
  const hasHeadings = headings.some(heading => heading !== '')
  const marginTop = (options.heading === undefined ? 2 : 24) + (hasHeadings ? 20 : 4)
  const plotWidth = width - marginLeft - marginRight
  const about = Math.max(2, Math.min(7, plotWidth / 70))
  const indexed = rows.map((row, index) => ({ ...row, index, range: drawableRange(row.interval) }))
  const drawn = indexed.filter(row => isDrawable(row.value))
  const missing = indexed.filter(row => !isDrawable(row.value))
  return panel({
    document,
    width,
    height: marginTop + rowHeight * rows.length + 46,
    marginTop,
    marginBottom: 46,
    marginLeft,
    marginRight,
    x: { domain: [...domain] },
    y: { type: 'point', domain: indexed.map(row => row.index), padding: 0.5, axis: null },
    marks: [
      ...axisX(
        (options.isCount === true ? countAxis : valueAxis)(options.axis, domain, about),
        nameRoom(width, marginLeft, marginRight),
      ),
      Plot.ruleY(indexed, { y: 'index', stroke: ink.grid, strokeDasharray: '1 3', strokeOpacity: 1 }),
      ...(options.behind ?? []),
      ...(mark === 'bar' ? bars(drawn) : []),
      ...(options.over ?? []),
      ...intervals(drawn, mark, domain),
      ...(mark === 'dot' ? dots(drawn) : []),
      ...(options.hideLabels === true ? [] : names(indexed, labels)),
      ...words(missing, plotWidth, domain),
      ...columns(indexed, headings, ends),
      Plot.text(options.heading === undefined ? [] : [options.heading], {
        frameAnchor: 'top-left',
        dy: 6 - marginTop,
        fontWeight: 'bold',
        fontSize: 13,
        fill: ink.text,
      }),
    ],
  })
}

const stackedHeight = 48
const stackedMargin = 12

/** The same for a phone: name and numbers above, the plot below over the full width. */
function stackedRows(options: IntervalRowsOptions): Panel {
  const { document, width, rows, headings, domain, mark } = options
  const hasHeadings = headings.some(heading => heading !== '')
  const marginTop = (options.heading === undefined ? 2 : 24) + (hasHeadings ? 36 : 4)
  const plotWidth = width - 2 * stackedMargin
  const indexed = rows.map((row, index) => ({ ...row, index, range: drawableRange(row.interval) }))
  const drawn = indexed.filter(row => isDrawable(row.value))
  const numbersOf = (row: IntervalRow) => row.cells.filter(cell => cell !== '').join('  ')
  const room = Math.max(60, width - 16 - Math.max(0, ...rows.map(row => textWidth(numbersOf(row), fontSize.text))))
  const labels = shortLabels(
    rows.map(row => row.label),
    fontSize.text * boldWidth,
    room,
  )
  // With a background of their own: a line at 0 would hide the minus of a number that begins there.
  const above = { y: 'index', dy: 6 - stackedHeight / 2, fill: ink.text, stroke: ink.paper, strokeWidth: 5 } as const
  const heads = headings.filter(heading => heading !== '').join('  ')
  return panel({
    document,
    width,
    height: marginTop + stackedHeight * rows.length + 46,
    ...{ marginTop, marginBottom: 46, marginLeft: stackedMargin, marginRight: stackedMargin },
    x: { domain: [...domain] },
    y: { type: 'point', domain: indexed.map(row => row.index), padding: 0.5, axis: null },
    marks: [
      ...axisX(
        (options.isCount === true ? countAxis : valueAxis)(options.axis, domain, Math.max(2, plotWidth / 80)),
        plotWidth,
      ),
      Plot.ruleY(indexed, { y: 'index', stroke: ink.grid, strokeDasharray: '1 3', strokeOpacity: 1 }),
      ...(options.behind ?? []),
      ...(options.over ?? []),
      ...intervals(drawn, mark, domain),
      ...dots(drawn),
      ...words(
        indexed.filter(row => !isDrawable(row.value)),
        plotWidth,
        domain,
      ),
      ...(['normal', 'bold'] as const).map(fontWeight =>
        Plot.text(
          indexed.filter(row => (row.isBold === true) === (fontWeight === 'bold')),
          {
            ...{ ...above, frameAnchor: 'left', textAnchor: 'start', dx: -stackedMargin, fontWeight },
            text: row => labels[row.index],
            title: 'label',
          },
        ),
      ),
      Plot.text(indexed, { ...above, frameAnchor: 'right', textAnchor: 'end', dx: stackedMargin, text: numbersOf }),
      Plot.text(heads === '' ? [] : [heads], {
        ...{ frameAnchor: 'top-right', textAnchor: 'end', lineAnchor: 'bottom' },
        ...{ dx: stackedMargin, dy: -22, fontSize: fontSize.small, fill: ink.quiet },
      }),
      Plot.text(options.heading === undefined ? [] : [options.heading], {
        ...{ frameAnchor: 'top-left', dx: -stackedMargin, dy: 6 - marginTop, fontWeight: 'bold', fontSize: 13 },
        fill: ink.text,
      }),
    ],
  })
}

type IndexedRow = IntervalRow & { readonly index: number; readonly range: Range | null }

function bars(rows: readonly IndexedRow[]): Plot.Markish[] {
  return [
    Plot.ruleY(rows, { y: 'index', x1: 0, x2: 'value', stroke: row => row.color, strokeWidth: rowHeight * 0.64 }),
    Plot.ruleX([0], { stroke: ink.axis }),
  ]
}

/** Plot's own end markers have ids, which two charts in one page would share. An end outside the frame is an arrow out of it. */
function intervals(
  rows: readonly IndexedRow[],
  mark: 'dot' | 'bar',
  domain: readonly [number, number],
): Plot.Markish[] {
  const known = rows.flatMap(row => (row.range === null ? [] : [{ ...row, drawn: clamped(row.range, domain) }]))
  const look = {
    y: 'index',
    stroke: (row: IndexedRow) => (mark === 'bar' ? ink.text : row.color),
    strokeWidth: 1.6,
  } as const
  const caps = (['low', 'high'] as const).map(end =>
    Plot.dot(
      known.filter(row => row.range?.[end] === row.drawn[end]),
      { ...look, x: row => row.drawn[end], symbol: cap, r: 4 },
    ),
  )
  const arrows = (['low', 'high'] as const).map(end =>
    Plot.dot(
      known.filter(row => row.range?.[end] !== row.drawn[end]),
      { ...look, x: row => row.drawn[end], symbol: end === 'low' ? arrowLeft : arrowRight, r: 4 },
    ),
  )
  return [Plot.ruleY(known, { ...look, x1: row => row.drawn.low, x2: row => row.drawn.high }), ...caps, ...arrows]
}

interface CanvasLike {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
}

const cap: Plot.SymbolImplementation = {
  draw(context: CanvasLike) {
    context.moveTo(0, -4)
    context.lineTo(0, 4)
  },
}

/** Its tip is the end of the line. */
const arrowTo = (side: 1 | -1): Plot.SymbolImplementation => ({
  draw(context: CanvasLike) {
    context.moveTo(-6 * side, -4)
    context.lineTo(0, 0)
    context.lineTo(-6 * side, 4)
  },
})

const arrowLeft = arrowTo(-1)
const arrowRight = arrowTo(1)

function dots(rows: readonly IndexedRow[]): Plot.Markish[] {
  return rows.map(row =>
    Plot.dot([row], {
      y: 'index',
      x: 'value',
      r: 4.6,
      symbol: row.symbol ?? 'circle',
      fill: row.isHollow === true ? ink.paper : row.color,
      stroke: row.color,
      strokeWidth: 1.8,
    }),
  )
}

/** The whole name appears when pointed at. */
function names(rows: readonly IndexedRow[], room: number): Plot.Markish[] {
  const labels = rows.map(row => row.label)
  const isRoom = rows.every(row => nameWidth(row) <= room + 1)
  const texts = isRoom ? labels : shortLabels(labels, fontSize.text * boldWidth, room + 1)
  return (['normal', 'bold'] as const).map(fontWeight =>
    Plot.text(
      rows.filter(row => (row.isBold === true) === (fontWeight === 'bold')),
      {
        y: 'index',
        frameAnchor: 'left',
        textAnchor: 'end',
        dx: -labelGap,
        text: row => texts[row.index],
        title: 'label',
        fontWeight,
        fill: ink.text,
      },
    ),
  )
}

/** If there is no value, the reason takes its place, on a clear background. */
function words(rows: readonly IndexedRow[], width: number, [low, high]: readonly [number, number]): Plot.Markish[] {
  const text = (row: IndexedRow) =>
    shortened(`no value${row.reason ? `: ${row.reason}` : ''}`, fontSize.small, width - 2 * labelGap)
  const room = (row: IndexedRow) => Math.min(1, (textWidth(text(row), fontSize.small) + 2 * labelGap) / width)
  return [
    Plot.ruleY(rows, {
      y: 'index',
      x1: low + 0.01 * (high - low),
      x2: row => low + room(row) * (high - low),
      stroke: ink.paper,
      strokeWidth: rowHeight * 0.7,
    }),
    Plot.text(rows, { y: 'index', frameAnchor: 'left', dx: labelGap, text, fontSize: fontSize.small, fill: ink.quiet }),
  ]
}

/** How far right of the frame each column ends: its text is set against that edge. */
function columnEnds(rows: readonly IntervalRow[], headings: readonly string[], least: number): number[] {
  let end = 0
  return headings.map((heading, at) => {
    const cells = rows.map(row => textWidth(row.cells[at] ?? '', fontSize.text))
    end += columnGap + Math.ceil(Math.max(least, textWidth(heading, fontSize.small), ...cells))
    return end
  })
}

/** The columns of text at the right of the frame, under their headings. */
export function columns(
  rows: readonly { readonly index: number; readonly cells: readonly string[] }[],
  headings: readonly string[],
  ends: readonly number[],
): Plot.Markish[] {
  return headings.flatMap((heading, at) => {
    const place = { textAnchor: 'end', dx: ends[at] ?? 0 } as const
    return [
      Plot.text(rows, { ...place, y: 'index', frameAnchor: 'right', text: row => row.cells[at] ?? '', fill: ink.text }),
      Plot.text(heading === '' ? [] : [heading], {
        ...place,
        frameAnchor: 'top-right',
        lineAnchor: 'bottom',
        dy: -6,
        fontSize: fontSize.small,
        fill: ink.quiet,
      }),
    ]
  })
}
