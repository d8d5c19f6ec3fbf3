import { word } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** What only `serve` has. */
export const serveOptions = {
  host: value({
    group: 'Where it goes',
    value: 'address',
    description:
      'listen on this address too, e.g. 0.0.0.0: whoever comes from elsewhere needs the token that is printed (127.0.0.1: this machine only, without one)',
    parse: word,
  }),
  open: flag({ group: 'What is shown', description: 'open it in the browser' }),
} as const satisfies Record<string, OptionSpec>
