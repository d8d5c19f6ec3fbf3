import { trackerOptions } from '../../../define/dialects/for-help.ts'
import { text, word } from '../../parse-values.ts'
import { flag, list, type OptionSpec, value } from './option.ts'

/** Options of `sweep` and `worker` alone. */
export const sweepOptions = {
  project: value({
    group: 'Output',
    value: 'name',
    short: 'p',
    aliases: [trackerOptions.project],
    description: 'stored as the tag project:name; filters a list',
    parse: word,
  }),
  entity: value({
    group: 'Output',
    value: 'name',
    short: 'e',
    aliases: [trackerOptions.entity],
    description: 'stored as the tag entity:name; filters a list',
    parse: word,
  }),
  priorRun: list({
    group: 'Earlier results',
    value: 'id',
    short: 'R',
    description: 'accepted for compatibility: runs on the servers of W&B are not imported',
    parse: text,
  }),
  write: value({
    group: 'Output',
    value: 'file',
    description: 'write the winner as an experiment, with fresh seeds',
    parse: text,
  }),
  pause: flag({ group: 'Selection', description: 'the same as the action pause' }),
  stop: flag({ group: 'Selection', description: 'the same as the action stop' }),
  cancel: flag({ group: 'Selection', description: 'the same as the action cancel' }),
} as const satisfies Record<string, OptionSpec>
