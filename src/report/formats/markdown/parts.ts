import { markdownTable, safe } from '../../analysis/sections.ts'
import { cellText, type FigureTable } from '../../figures/figure.ts'

/** Empty if there is nothing below the title. */
export const section = (title: string, text: string): string => (text === '' ? '' : `## ${title}\n\n${text}`)

export const list = (texts: readonly string[]): string => texts.map(text => `- ${safe(text)}`).join('\n')

/** A table for people, limited to its first rows. */
export const tableText = ({ columns, rows }: FigureTable, most = rows.length): string =>
  markdownTable(
    columns.map(({ name }) => safe(name)),
    rows.slice(0, most).map(row => columns.map((column, at) => safe(cellText(row[at] ?? null, column)))),
  ).join('\n')
