import * as z from 'zod'

/** Building blocks of the model's schema; each says in plain words what it expects. */

export const aboveZero = z
  .number({ error: 'expected a number above 0' })
  .positive({ error: 'expected a number above 0' })

export const amount = z
  .number({ error: 'expected a number, 0 or more' })
  .min(0, { error: 'expected a number, 0 or more' })

export const probability = z
  .number({ error: 'expected a probability from 0 to 1' })
  .min(0, { error: 'expected a probability from 0 to 1' })
  .max(1, { error: 'expected a probability from 0 to 1' })

export const slots = z
  .int({ error: 'expected a whole number above 0' })
  .min(1, { error: 'expected a whole number above 0' })

/** A number, or an expression such as `6.0 + 0.001 * size`. */
export const formula = z.lazy(() =>
  z.union([z.number(), z.string().min(1)], {
    error: 'expected a number, or an expression such as "200 + 10 * subqueries"',
  }),
)

export type Formula = z.output<typeof formula>
