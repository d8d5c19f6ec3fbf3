import type { Bounds } from '../../analyze/compare/compare.ts'
import type { ChartOptions, Range } from '../../charts/draw-chart.ts'
import { csvLine } from '../../util/csv.ts'
import { chanceText, isMoney, plainNumber, unitBeside, unitOf as unitFor, writingOf } from '../../util/words.ts'

/** A picture together with its numbers, for readers who can't see the picture. */
export interface Figure {
  /** For names of files and anchors: `differences`. */
  readonly id: string
  readonly title: string
  /** How to read it, in one or two sentences. */
  readonly caption: string
  /** null: there is only a table. */
  readonly draw: ((options: ChartOptions) => string) | null
  readonly table: FigureTable
  /** The positions of runs, for pages that react to the pointer; omitted if its points are not runs. */
  readonly points?: (width: number) => readonly RunPoint[]
}

/** A run in a picture, by its position inside the panel. */
export interface RunPoint {
  readonly x: number
  readonly y: number
  /** Counted from 0, with its label. */
  readonly row: number
  readonly label: string
  readonly value: number
  /** Its id. */
  readonly run: string
}

export interface FigureTable {
  readonly columns: readonly FigureColumn[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface FigureColumn {
  readonly name: string
  /** How its numbers are written; without it the column is text. */
  readonly write?: (value: number) => string
  /** How a page colours a cell. */
  readonly tone?: (cell: Cell) => 'good' | 'warning' | 'bad' | null
}

export type Cell = string | number | null

/** For spreadsheets: unrounded numbers. */
export function tableCsv({ columns, rows }: FigureTable): string {
  const line = (cells: readonly Cell[]) => csvLine(cells.map(cell => (cell === null ? '' : String(cell))))
  return line(columns.map(({ name }) => name)) + rows.map(line).join('')
}

/** A cell as shown to a person. */
export function cellText(cell: Cell, { write }: FigureColumn): string {
  if (cell === null) return '–'
  return typeof cell === 'number' ? (write ?? String)(cell) : cell
}

/** An interval as charts take it: a missing bound is infinitely far away. */
export const rangeOf = (bounds: Pick<Bounds, 'low' | 'high'> | null, factor = 1): Range | null =>
  bounds === null
    ? null
    : {
        low: bounds.low === null ? Number.NEGATIVE_INFINITY : factor * bounds.low,
        high: bounds.high === null ? Number.POSITIVE_INFINITY : factor * bounds.high,
      }

/** The unit in which a metric is drawn, and the factor for its numbers. */
interface Drawn {
  readonly unit?: string
  readonly factor: number
}

/** Shares are drawn in percent; other units follow from the metric's name, scaled to what people use for such numbers. */
export function drawnIn(metric: string, isYesNo = false, values: readonly (number | null)[] = []): Drawn {
  if (isYesNo) return { unit: '%', factor: 100 }
  const typical = typicalSize(values)
  const { name, size } = unitFor(metric, typical ?? 0)
  if (typical !== null && name !== '') return { unit: name, factor: 1 / size }
  if (isMoney(metric)) return { unit: 'USD', factor: 1 }
  if (/_ms$/.test(metric)) return { unit: 'ms', factor: 1 }
  if (/(^|_)(seconds|wall_s)$|_s$/.test(metric)) return { unit: 's', factor: 1 }
  return { factor: 1 }
}

/** The median size of those that are not zero; null: there are none. */
function typicalSize(values: readonly (number | null)[]): number | null {
  const sizes = values.flatMap(value => (value === null || value === 0 ? [] : Math.abs(value))).sort((a, b) => a - b)
  return sizes[Math.floor(sizes.length / 2)] ?? null
}

/**
 * How a table writes a metric's values; `values`: those of one table, which then share a unit, except for values that
 * are tiny in it.
 */
export function valueWriting(
  metric: string,
  isYesNo = false,
  values: readonly (number | null)[] = [],
): (value: number) => string {
  const typical = typicalSize(values)
  const common = unitFor(metric, typical ?? 0)
  if (isYesNo || typical === null || common.name === '') return writingOf({ metric, yes_no: isYesNo }).value
  return value => {
    const { name, size } = unitBeside(common, metric, value)
    return `${plainNumber(value / size)} ${name}`
  }
}

export const unitOf = ({ unit }: Drawn): { readonly unit?: string } => (unit === undefined ? {} : { unit })

export const times = (value: number | null, factor: number): number | null => (value === null ? null : factor * value)

interface Tested {
  readonly p: number | null
  readonly p_adjusted: number | null
  readonly p_is_bound: boolean
}

/** How a column of these p is written: `≤ 0.00020` for one that more resamples might make smaller. */
export function pWriting(tested: readonly Tested[]): (value: number) => string {
  const bounds = new Set(tested.filter(one => one.p_is_bound).flatMap(({ p, p_adjusted }) => [p, p_adjusted]))
  return value => chanceText(value, bounds.has(value)).replace(/^p (= )?/, '')
}
