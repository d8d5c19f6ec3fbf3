import { word } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** Which series of a benchmark is meant. */
export const rolloutsOptions = {
  latest: flag({ group: 'Selection', description: 'the newest series (the default)' }),
  rollout: value({
    group: 'Selection',
    value: 'stamp',
    description: 'the series with this stamp, or the newest that begins with it: 20250824__12-34-56, 20250824',
    parse: word,
  }),
} as const satisfies Record<string, OptionSpec>
