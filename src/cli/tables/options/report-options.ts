import { text } from '../../parse-values.ts'
import { choice, type OptionSpec, value } from './option.ts'

/** What only `report` and `export` have. */
export const reportOptions = {
  runsCsv: value({
    group: 'What is compared',
    value: 'file',
    description: 'take the runs from this table of the sweep runner (as `collect` writes it) instead of the journal',
    parse: text,
  }),
  what: choice({
    group: 'Where it goes',
    value: 'what',
    choices: ['runs', 'series', 'traces'],
    description:
      'one row per run, one per reported value, or the calls of models (default: runs; with --format otlp, traces)',
  }),
} as const satisfies Record<string, OptionSpec>
