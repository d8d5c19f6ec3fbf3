import { text } from '../../parse-values.ts'
import { choice, type OptionSpec, value } from './option.ts'

/** What only `report` and `export` have. */
export const reportOptions = {
  runsCsv: value({
    group: 'Comparison',
    value: 'file',
    description: "read runs from this table of Cascade's sweep runner (as `collect` writes it) instead of the journal",
    parse: text,
  }),
  what: choice({
    group: 'Output',
    value: 'what',
    choices: ['runs', 'series', 'traces'],
    description:
      'one row per run, one per reported value, or the model calls (default: runs; with --format otlp: traces)',
  }),
} as const satisfies Record<string, OptionSpec>
