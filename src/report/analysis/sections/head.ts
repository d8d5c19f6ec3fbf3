import type { BatchAnalysis } from '../../../analyze/batch/analyze-batch.ts'
import { ciText } from '../../../analyze/batch/patterns/findings.ts'
import { percentText } from '../../../analyze/numbers.ts'
import { safe } from '../markdown.ts'
import type { Section } from './section.ts'

export function head({ experiment, planned_runs, patterns }: BatchAnalysis): Section {
  const { total_runs, successful_runs, failed_runs, censored_runs, unjudged_runs, success_rate } = patterns
  const left = planned_runs === null || planned_runs <= total_runs ? [] : [`**Planned Runs:** ${planned_runs}`]
  return [
    '# Batch Analysis Report',
    '',
    ...[
      `**Experiment:** ${safe(experiment)}`,
      ...left,
      `**Total Runs:** ${total_runs}`,
      `**Successful Runs:** ${successful_runs}`,
      `**Failed Runs:** ${failed_runs}`,
      ...(censored_runs === 0 ? [] : [`**Cut Off, Not Judged:** ${censored_runs}`]),
      ...(unjudged_runs === 0 ? [] : [`**Not Measured, Not Judged:** ${unjudged_runs}`]),
      `**Success Rate:** ${success_rate === null ? 'no run could be judged' : `${(success_rate * 100).toFixed(1)}%${ciText(patterns.success_rate_ci, percentText, ', ')}`}`,
      `**Success means:** ${safe(patterns.success_definition)}`,
    ].map(line => `${line}  `),
  ]
}
