import { wholeNumber } from '../../parse-values.ts'
import { type OptionSpec, value } from './option.ts'

export const modelsOptions = {
  port: value({
    group: 'What is run',
    value: 'n',
    description: 'where to listen; 0: wherever is free (serve: 4020, or the next free one; models serve-sim: 4010)',
    parse: wholeNumber,
  }),
} as const satisfies Record<string, OptionSpec>
