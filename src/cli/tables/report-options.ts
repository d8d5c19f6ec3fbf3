import { text } from '../parse-values.ts'
import { type OptionSpec, value } from './option.ts'

/** What only `report` has. */
export const reportOptions = {
  runsCsv: value({
    group: 'What is compared',
    value: 'file',
    description: 'take the runs from this table of the sweep runner (as `collect` writes it) instead of the journal',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
