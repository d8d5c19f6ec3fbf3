import { share, text } from '../../parse-values.ts'
import { type OptionSpec, value } from './option.ts'

/** What only `variance` asks. */
export const varianceOptions = {
  threshold: value({
    group: 'How it is compared',
    value: 'share',
    description: 'how much runs may differ: their coefficient of variation, 0.05 or 5% (0.05)',
    parse: share,
  }),
  slopeWindow: value({
    group: 'What is compared',
    value: 'part',
    description: 'the part of a series that the slope is taken over (default: the same as for the area)',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
