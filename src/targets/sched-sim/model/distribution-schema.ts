import * as z from 'zod'
import { aboveZero, formula, probability } from './parts.ts'

/** Some steps have a tail of their own, in addition to the heavy tail of all steps: a cache that misses. */
const tail = z.lazy(() => z.strictObject({ probability, multiplier: aboveZero }).optional())

const families = ['lognormal', 'gamma', 'exponential', 'empirical', 'best'] as const

/** How long a step takes, in milliseconds. */
export const distributionSchema = z.lazy(() =>
  z.union(
    [
      formula,
      z.strictObject({ kind: z.literal('constant'), value: formula, tail }),
      z.strictObject({ kind: z.literal('uniform'), low: formula, high: formula, tail }),
      z.strictObject({ kind: z.literal('exponential'), mean: formula, tail }),
      z.strictObject({ kind: z.literal('lognormal'), mu: formula, sigma: formula, tail }),
      z.strictObject({ kind: z.literal('gamma'), shape: formula, scale: formula, tail }),
      z.strictObject({ kind: z.literal('empirical'), values: z.array(z.number().min(0)).min(1), tail }),
      z.strictObject({
        kind: z.literal('fit'),
        csv: z.string().min(1).describe('A CSV of real latencies, relative to the model file.'),
        column: z.string().min(1).describe('The column with the milliseconds.'),
        where: z.record(z.string(), z.string()).optional().describe('Only rows with these cells.'),
        family: z.enum(families).default('best').describe('`best`: the one closest to the data (Kolmogorov distance).'),
        tail,
      }),
    ],
    {
      error:
        'expected a number of milliseconds or { kind: constant | uniform | exponential | lognormal | gamma | empirical | fit, … }',
    },
  ),
)

export type DistributionSpec = z.output<typeof distributionSchema>
export type Family = (typeof families)[number]
