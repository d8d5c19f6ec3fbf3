import { text, word } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** What only `sweep` and `worker` ask. */
export const sweepOptions = {
  project: value({
    group: 'Where it goes',
    value: 'name',
    description: 'a word to find it by: kept as the tag project:name, and filtered by in a list',
    parse: word,
  }),
  entity: value({
    group: 'Where it goes',
    value: 'name',
    description: 'the same for entity:name',
    parse: word,
  }),
  write: value({
    group: 'Where it goes',
    value: 'file',
    description: 'write the winner as an experiment, with fresh seeds',
    parse: text,
  }),
  pause: flag({ group: 'What is run', description: 'the same as the action pause' }),
  stop: flag({ group: 'What is run', description: 'the same as the action stop' }),
  cancel: flag({ group: 'What is run', description: 'the same as the action cancel' }),
} as const satisfies Record<string, OptionSpec>
