import { text } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** What only analyze has. */
export const analyzeOptions = {
  success: value({
    group: 'What is compared',
    value: 'rule',
    description: "what a successful run is, e.g. 'score >= 0.8', or a metric that is 0 or 1 (default: it completed)",
    parse: text,
  }),
  report: flag({ group: 'What is shown', description: 'also write and print analysis-report.md' }),
  to: value({
    group: 'Where it goes',
    value: 'folder',
    description: 'where the files go (analysis/ in the experiment directory; of several, here)',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
