import { text } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** Options of analyze alone. */
export const analyzeOptions = {
  success: value({
    group: 'Comparison',
    value: 'rule',
    description:
      "when a run counts as a success, e.g. 'score >= 0.8', or a metric that is 0 or 1 (default: it completed)",
    parse: text,
  }),
  report: flag({ group: 'Display', description: 'also write and print analysis-report.md' }),
  to: value({
    group: 'Output',
    value: 'folder',
    description:
      'the output folder (default: analysis/ in the experiment directory; for several experiments, this folder)',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
