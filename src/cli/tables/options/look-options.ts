import { text, word } from '../../parse-values.ts'
import { choice, flag, type OptionSpec, value } from './option.ts'

/** Options of `report` and `export` alone. */
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

/** Options of `serve` alone. */
export const serveOptions = {
  host: value({
    group: 'Output',
    value: 'address',
    description:
      'also listen on this address, e.g. 0.0.0.0; other machines need the token that is printed (default: 127.0.0.1, this machine only, no token)',
    parse: word,
  }),
  open: flag({ group: 'Display', description: 'open the page in the browser' }),
} as const satisfies Record<string, OptionSpec>
