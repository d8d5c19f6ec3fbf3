import { safe } from '../../analysis/sections.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { Figure } from '../../figures/figure.ts'
import { readableFigures } from '../../figures/figures.ts'
import { comparisonsOf } from '../../findings/comparisons.ts'
import { verdictOf } from '../../findings/verdict.ts'
import type { View } from '../../findings/view.ts'
import { commandsOf } from '../../findings/wording/commands.ts'
import { methodsOf } from '../../findings/wording/methods.ts'
import { badgesOf, nextStepsOf } from '../../findings/wording/page-words.ts'
import { agentsText } from './agents-text.ts'
import { distributionsText } from './distributions-text.ts'
import { failuresText } from './failures-text.ts'
import { list, section, tableText } from './parts.ts'
import { promptMatrixText } from './prompt-matrix-text.ts'
import { runsText } from './runs-text.ts'
import { taskScoresText } from './task-scores-text.ts'
import { tilesText } from './tiles-text.ts'

const mostRows = 60

/** The report as Markdown: the page without its pictures. */
export function reportMarkdown(dataset: Dataset, view: View): string {
  const compared = comparisonsOf(dataset, view)
  const { headline, others, warnings, about } = verdictOf(dataset, view, compared)
  const next = nextStepsOf(dataset, about)
  return `${[
    `# ${safe(dataset.title)}`,
    ...descriptions(dataset),
    badgesOf(dataset, view)
      .map(({ text }) => `\`${text.replaceAll('`', '’')}\``)
      .join(' '),
    `**${safe(headline)}**`,
    tilesText(dataset, view, about),
    list(others),
    section('Before you believe it', list(warnings)),
    section('What next', list(next)),
    promptMatrixText(dataset, view),
    taskScoresText(dataset, view),
    agentsText(dataset, view),
    ...readableFigures(dataset, view).map(figureText),
    distributionsText(dataset, view),
    failuresText(dataset, view),
    runsText(dataset, view),
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

/** Each once, and without repeating the title. */
const descriptions = ({ experiments, title }: Dataset): readonly string[] =>
  [...new Set(experiments.map(({ description }) => description))]
    .filter(text => text !== '' && text !== title)
    .map(safe)

function figureText({ title, caption, table }: Figure): string {
  const left = table.rows.length - mostRows
  return section(
    safe(title),
    [
      ...(caption === '' ? [] : [safe(caption)]),
      tableText(table, mostRows),
      ...(left > 0 ? [`${left} more rows.`] : []),
    ].join('\n\n'),
  )
}
