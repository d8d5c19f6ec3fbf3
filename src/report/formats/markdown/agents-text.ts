import { safe } from '../../analysis/sections.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { agentsFigure, exitsFigure } from '../../figures/agent-figures.ts'
import { agentFindingsOf } from '../../findings/agents.ts'
import type { View } from '../../findings/view.ts'
import { section, tableText } from './parts.ts'

const mostVariants = 60

/** The results of agents, variant by variant; empty if there are none. */
export function agentsText(dataset: Dataset, view: View): string {
  const finding = agentFindingsOf(dataset, view)
  if ('reason' in finding) return ''
  const figures = [agentsFigure(finding.found), exitsFigure(finding.found)]
  const left = finding.found.rows.length - mostVariants
  return section(
    'Agents',
    [
      ...figures.flatMap(({ caption, table }) => [safe(caption), tableText(table, mostVariants)]),
      ...(left > 0 ? [`${left} more variants: the JSON report has all of them.`] : []),
    ].join('\n\n'),
  )
}
