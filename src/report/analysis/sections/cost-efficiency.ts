import type { BatchAnalysis } from '../../../analyze/batch/analyze-batch.ts'
import { dollars } from '../../../analyze/batch/patterns/findings.ts'
import { plainNumber } from '../../../analyze/numbers.ts'
import { markdownTable, safe } from '../markdown.ts'
import { bounds, mostRows, type Section, text } from './section.ts'

export function costEfficiency({ patterns, variations }: BatchAnalysis): Section {
  const { cost, cost_efficiency } = patterns
  if (cost.total === null) return ['## Cost Efficiency', '', 'No run recorded a cost, so nothing can be said about it.']
  const rows = cost_efficiency
    .slice(0, mostRows)
    .map(({ variation_id, description, runs_per_dollar, cost_per_success: { value, ci, reason } }) => [
      String(variation_id),
      safe(description),
      plainNumber(runs_per_dollar),
      text(value, dollars),
      ci === null ? `– (${reason ?? ''})` : bounds(ci, dollars),
    ])
  const without = Object.values(variations).length - cost_efficiency.length
  return [
    '## Cost Efficiency',
    '',
    ...markdownTable(['', 'Configuration', 'successes/$', 'Cost per success', 'CI'], rows),
    '',
    'All that was spent counts, on failures and repeated attempts too.',
    ...(without > 0
      ? [`${without} ${without === 1 ? 'variant has' : 'variants have'} no success, or no recorded cost.`]
      : []),
  ]
}
