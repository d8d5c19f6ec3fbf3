import { duration, size, wholeNumber } from '../../parse-values.ts'
import { type OptionSpec, value } from './option.ts'

export const modelsOptions = {
  port: value({
    group: 'What is run',
    value: 'n',
    description: 'where to listen; 0: wherever is free (serve: 4020, or the next free one; models serve-sim: 4010)',
    parse: wholeNumber,
  }),
  olderThan: value({
    group: 'Models',
    value: 'duration',
    description: 'only answers that are older, such as 30d or 12h',
    parse: duration,
  }),
  maxSize: value({
    group: 'Models',
    value: 'size',
    description: 'only the oldest answers, until no more than this is left, such as 1GB or 200MB',
    parse: size,
  }),
} as const satisfies Record<string, OptionSpec>
