import type { BatchAnalysis } from '../../../analyze/batch/analyze-batch.ts'
import { amountText, plainNumber } from '../../../analyze/numbers.ts'
import { markdownTable, safe } from '../markdown.ts'
import { bounds, type Section, text } from './section.ts'

export function overallMetrics({ metrics }: BatchAnalysis): Section {
  const rows = Object.entries(metrics)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { count, mean, ci, median, stdev, min, max, missing, reason }]) => {
      const amount = amountText(name)
      return [
        safe(name),
        `${count}${missing === 0 ? '' : ` (${missing} missing)`}`,
        text(mean, amount),
        ci === null ? `– (${reason})` : bounds(ci, amount),
        text(median, amount),
        text(stdev, plainNumber),
        mean === null ? '–' : `${text(min, amount)} to ${text(max, amount)}`,
      ]
    })
  if (rows.length === 0) return ['## Overall Metrics', '', 'The runs have no metrics.']
  return [
    '## Overall Metrics',
    '',
    'Of the runs that completed, all variants together.',
    '',
    ...markdownTable(['metric', 'runs', 'Mean', 'CI', 'Median', 'Std Dev', 'Range'], rows),
  ]
}
