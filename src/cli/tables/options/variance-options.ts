import { share, text } from '../../parse-values.ts'
import { type OptionSpec, value } from './option.ts'

/** Options of `variance` alone. */
export const varianceOptions = {
  threshold: value({
    group: 'Statistics',
    value: 'share',
    description: 'the acceptable coefficient of variation, 0.05 or 5% (0.05)',
    parse: share,
  }),
  slopeWindow: value({
    group: 'Comparison',
    value: 'part',
    description: 'the part of a series for the slope (default: as for the area)',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
