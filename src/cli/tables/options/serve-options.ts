import { word } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** What only `serve` has. */
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
