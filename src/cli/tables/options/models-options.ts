import { duration, size, wholeNumber } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

export const modelsOptions = {
  port: value({
    group: 'Selection',
    value: 'n',
    description: 'the port to listen on; 0 for any free one (serve: 4020 or the next free one; models serve-sim: 4010)',
    parse: wholeNumber,
  }),
  boxes: flag({
    group: 'Selection',
    description:
      'delete what the boxes of finished runs of tasks left, containers included; they can no longer be scored again',
  }),
  keyless: flag({ group: 'Models', description: 'answer requests without a key, too (serve-sim)' }),
  olderThan: value({
    group: 'Models',
    value: 'duration',
    description: 'only what is older than this, e.g. 30d or 12h',
    parse: duration,
  }),
  maxSize: value({
    group: 'Models',
    value: 'size',
    description: 'the oldest answers, until at most this much is left, e.g. 1GB or 200MB',
    parse: size,
  }),
} as const satisfies Record<string, OptionSpec>
