import { nameText } from '../../util/words.ts'
import { fitText, textWidth } from './text-width.ts'

export interface TableOptions {
  /** Longer rows lose the end of their widest text column. */
  readonly columns: number
  readonly head?: (text: string) => string
}

/** Rows below a head, in aligned columns: numbers to the right, text to the left. */
export function tableLines(
  titles: readonly string[],
  cells: readonly (readonly string[])[],
  options: TableOptions,
): string[] {
  const head = titles.map(onOneLine)
  const rows = cells.map(row => row.map(onOneLine))
  const widths = fittingWidths(head, rows, options.columns)
  const isNumeric = head.map((_, column) => rows.length > 0 && rows.every(row => looksNumeric(row[column] ?? '')))
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => align(cells[column] ?? '', width, isNumeric[column] === true))
      .join(gap)
      .trimEnd()
  const paint = options.head ?? (text => text)
  return [paint(line(head)), ...rows.map(line)]
}

const gap = '  '

/** A name that continues on the next line would look like a row of its own. Colours stay. */
const onOneLine = (cell: string): string => cell.replace(/[\n\r\t\u2028\u2029]/g, nameText)

function align(cell: string, width: number, right: boolean): string {
  const fitted = fitText(cell, width)
  const space = ' '.repeat(Math.max(0, width - textWidth(fitted)))
  return right ? space + fitted : fitted + space
}

/** `12`, `10/12`, `-0.5`, `3e-7`, `$1.20`, `95%`, `12 ± 3`, `12 (of 2)`, or nothing at all. */
const looksNumeric = (cell: string): boolean =>
  /^$|^[–-]$|^\d+\/\d+$|^[-−+]?\$?[\d.,]+(e[-+]?\d+)?( ?%| ms| s| min| h)?( ±.*| \(of \d+\))?$/i.test(cell)

function fittingWidths(head: readonly string[], rows: readonly (readonly string[])[], columns: number): number[] {
  const widths = head.map((title, column) =>
    Math.max(textWidth(title), ...rows.map(row => textWidth(row[column] ?? ''))),
  )
  const total = () => widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1)
  while (total() > columns) {
    const widest = widths.indexOf(Math.max(...widths))
    const width = widths[widest] ?? 0
    // A narrower column is useless; then the line may as well be too long.
    if (width <= 8) break
    widths[widest] = Math.max(8, width - (total() - columns))
  }
  return widths
}
