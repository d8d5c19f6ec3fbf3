import * as Plot from '@observablehq/plot'
import type { ChartOptions } from './chart.ts'
import { frame, gapBetweenPanels, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { drawableRange, endsOf, extentOf, type Measured } from './drawing/interval.ts'
import { type IntervalRow, intervalRows, labelRoom } from './drawing/interval-rows.ts'
import type { LegendItem } from './drawing/legend.ts'
import { axisLabel, decimalsFor, fixed, isDrawable, withUnit } from './drawing/numbers.ts'
import type { Panel } from './drawing/panel.ts'
import { baselineLabel } from './drawing/short-labels.ts'
import { textWidth } from './drawing/text-width.ts'
import { colors, fontSize } from './drawing/theme.ts'

export interface Bar extends Measured {
  readonly label: string
  readonly isBaseline?: boolean
}

export interface BarPanel {
  readonly heading?: string
  readonly bars: readonly Bar[]
}

export interface BarsData {
  readonly title: string
  readonly metric: string
  readonly unit?: string
  /** Rows of panels, e.g. p50, p95 and p99 side by side, a row per size of workload; a row shares its scale. */
  readonly panels: readonly (readonly BarPanel[])[]
  /** A line to compare with, e.g. 1 for ratios. */
  readonly reference?: { readonly value: number; readonly label: string }
  readonly intervalLabel?: string
  /** The values are counts: no tick at 2.5. */
  readonly isCount?: boolean
}

/** Amounts as bars from 0, with their intervals, in rows of panels that share their scale. */
export function barsChart(data: BarsData, options: ChartOptions): string {
  const widest = Math.max(1, ...data.panels.map(row => row.length))
  const width = options.width ?? (widest === 1 ? 640 : 960)
  const rows = data.panels.filter(row => row.some(({ bars }) => bars.some(bar => isDrawable(bar.value))))
  if (rows.length === 0) return nothingToDraw(data.title, 'There is no value to draw.', { ...options, width })
  // Too narrow to be side by side: one below the other, still with a shared scale.
  const isNarrow = innerWidth(width) / widest < 200
  const panels = rows.flatMap(row => {
    const drawn = rowOfPanels(row, data, innerWidth(width), isNarrow, options)
    return isNarrow ? drawn.map(one => [one]) : [drawn]
  })
  const all = rows.flat().flatMap(one => one.bars.map(bar => ({ ...bar, heading: one.heading })))
  const described = all.map(bar => {
    const value = isDrawable(bar.value)
      ? `${withUnit(bar.value, data.unit)}${isUnbounded(bar) ? ', which nothing bounds' : ''}`
      : `no value${bar.reason ? ` (${bar.reason})` : ''}`
    return `${bar.heading === undefined ? '' : `${bar.heading}, `}${bar.label}: ${value}`
  })
  const description = `${described.join('. ')}.`
  return frame({ title: data.title, description, legend: legendOf(data, all), panels }, { ...options, width })
}

function rowOfPanels(
  row: readonly BarPanel[],
  data: BarsData,
  width: number,
  isNarrow: boolean,
  { document }: ChartOptions,
): Panel[] {
  const shown = row.map(one => ({
    heading: one.heading,
    rows: one.bars.map(bar => rowOf(bar, valueText(bar, row, data.unit))),
  }))
  const values = endsOf(row.flatMap(one => one.bars))
  const spread = extentOf([...values, 0, data.reference?.value]) ?? { low: 0, high: 1 }
  const columnWidth = Math.max(
    ...shown.flatMap(one => one.rows.map(cells => textWidth(cells.cells[0] ?? '', fontSize.text))),
  )
  const labels = labelRoom(shown[0]?.rows ?? [], width / row.length)
  const equal = (width - labels - gapBetweenPanels * (row.length - 1)) / row.length
  const widthOf = (index: number) => Math.floor(isNarrow ? width : index === 0 ? equal + labels : equal)
  return shown.map((one, index) =>
    intervalRows({
      document,
      width: widthOf(index),
      mark: 'bar',
      axis: axisLabel(data.metric, data.unit),
      domain: [spread.low * 1.04, spread.high === 0 && spread.low === 0 ? 1 : spread.high * 1.04],
      headings: [''],
      isCount: data.isCount === true,
      columnWidth,
      over:
        data.reference === undefined
          ? []
          : [Plot.ruleX([data.reference.value], { stroke: colors.red, strokeDasharray: '7 4', strokeWidth: 1.6 })],
      rows: one.rows,
      ...(one.heading === undefined ? {} : { heading: one.heading }),
      hideLabels: !isNarrow && index > 0 && sameLabels(row[0], row[index]),
    }),
  )
}

function rowOf(bar: Bar, text: string): IntervalRow {
  const color = bar.isBaseline === true ? '#a9b0b7' : '#5b9bc8'
  const interval = isUnbounded(bar) ? null : bar.interval
  return {
    ...bar,
    interval,
    label: bar.isBaseline === true ? baselineLabel(bar.label) : bar.label,
    color,
    cells: [text],
  }
}

/** From minus to plus infinity: a line through the whole chart would look like knowledge. */
const isUnbounded = ({ interval }: Bar): boolean =>
  interval != null && interval.low === Number.NEGATIVE_INFINITY && interval.high === Number.POSITIVE_INFINITY

/** With the decimals that the intervals of the whole row of panels deserve. */
function valueText(bar: Bar, row: readonly BarPanel[], unit: string | undefined): string {
  const ranges = row.flatMap(one => one.bars.map(bar => drawableRange(bar.interval)))
  const halves = ranges.flatMap(range => (range === null ? [] : [(range.high - range.low) / 2]))
  const decimals = halves.length === 0 && unit === '%' ? 1 : decimalsFor(halves)
  if (!isDrawable(bar.value)) return '–'
  return `${fixed(bar.value, decimals)}${isUnbounded(bar) ? ', no bounds' : ''}`
}

const sameLabels = (a: BarPanel | undefined, b: BarPanel | undefined) =>
  a !== undefined &&
  b !== undefined &&
  a.bars.length === b.bars.length &&
  a.bars.every((bar, at) => bar.label === b.bars[at]?.label)

function legendOf({ reference, intervalLabel }: BarsData, all: readonly Bar[]): LegendItem[] {
  const items: LegendItem[] = []
  if (reference !== undefined) items.push({ label: reference.label, color: colors.red, sample: 'line', dash: '7 4' })
  if (all.some(bar => drawableRange(bar.interval) !== null && !isUnbounded(bar)))
    items.push({ label: intervalLabel ?? 'interval', color: '#222222', sample: 'interval' })
  return items
}
