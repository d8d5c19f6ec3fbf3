import { wholeNumber } from '../parse-values.ts'
import { type OptionSpec, value } from './option.ts'

export const modelsOptions = {
  port: value({
    group: 'What is run',
    value: 'n',
    description: 'where to listen, on this machine only; 0: wherever is free (4010)',
    parse: wholeNumber,
  }),
} as const satisfies Record<string, OptionSpec>
