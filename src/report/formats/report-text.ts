import { markdownTable, safe } from '../analysis/markdown.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { allFigures } from '../figures/all-figures.ts'
import { cellText, type Figure, type FigureTable } from '../figures/figure.ts'
import { comparisonsOf } from '../findings/comparisons.ts'
import { verdictOf } from '../findings/verdict.ts'
import type { View } from '../findings/view.ts'
import { badgesOf } from '../findings/wording/badges.ts'
import { commandsOf } from '../findings/wording/commands.ts'
import { methodsOf } from '../findings/wording/methods.ts'
import { nextStepsOf } from '../findings/wording/next-steps.ts'

const mostRows = 60

/** The report as Markdown: the page without its pictures. */
export function reportMarkdown(dataset: Dataset, view: View): string {
  const compared = comparisonsOf(dataset, view)
  const { headline, others, warnings, about } = verdictOf(dataset, view, compared)
  const next = nextStepsOf(dataset, about)
  return `${[
    `# ${safe(dataset.title)}`,
    ...dataset.experiments.flatMap(({ description }) => (description === '' ? [] : [safe(description)])),
    badgesOf(dataset, view)
      .map(({ text }) => `\`${text}\``)
      .join(' '),
    `**${safe(headline)}**`,
    list(others),
    section('Before you believe it', list(warnings)),
    section('What next', list(next)),
    // Every run, or every point of a curve, is for the other formats.
    ...allFigures(dataset, view)
      .filter(({ id }) => id !== 'distributions' && id !== 'curves')
      .map(figureText),
    section('Methods', safe(methodsOf(dataset, view, compared))),
    section(
      'To reproduce',
      commandsOf(dataset, view)
        .map(({ line }) => `    ${line}`)
        .join('\n'),
    ),
  ]
    .filter(part => part !== '')
    .join('\n\n')}\n`
}

const section = (title: string, text: string): string => (text === '' ? '' : `## ${title}\n\n${text}`)

const list = (texts: readonly string[]): string => texts.map(text => `- ${safe(text)}`).join('\n')

function figureText({ title, caption, table }: Figure): string {
  const left = table.rows.length - mostRows
  return [
    `## ${safe(title)}`,
    ...(caption === '' ? [] : [safe(caption)]),
    tableText(table),
    ...(left > 0 ? [`${left} more rows.`] : []),
  ].join('\n\n')
}

const tableText = ({ columns, rows }: FigureTable): string =>
  markdownTable(
    columns.map(({ name }) => safe(name)),
    rows.slice(0, mostRows).map(row => columns.map((column, at) => safe(cellText(row[at] ?? null, column)))),
  ).join('\n')
