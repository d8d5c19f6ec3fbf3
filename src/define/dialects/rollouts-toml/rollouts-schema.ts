import * as z from 'zod'
import { calls } from '../../schema/calls-schema.ts'
import { order } from '../../schema/experiment-schema.ts'
import { limits } from '../../schema/limits-schema.ts'
import { models } from '../../schema/models-schema.ts'
import { text, wholeNumberAbove0, wholeNumberFrom0 } from '../../schema/parts.ts'

const expectedVariable = 'expected text, or a number, as the value of an environment variable'

const variables = z.lazy(() =>
  z.record(
    z.string().regex(/^[A-Za-z_]\w*$/, {
      error: 'expected the name of an environment variable: letters, digits and "_"',
    }),
    z.union([z.string(), z.number()], { error: expectedVariable }).transform(String),
  ),
)

const task = z.lazy(() =>
  z.strictObject({
    prepared_dir: text,
    /** As in eval_rollouts.py. */
    model: text.default('gpt-5-mini'),
    rollouts: wholeNumberFrom0.default(1),
    apply_overrides: z.boolean({ error: 'expected true or false' }).default(true),
    overrides: text.optional(),
    environment_variables: variables.default({}),
  }),
)

/** A benchmark as OneShot's eval_rollouts.py reads it. */
export const rolloutsSchema = z.lazy(() =>
  z.strictObject({
    name: z
      .string()
      .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u, {
        error: 'expected a name of letters, digits, "_", "-" and ".", since it names a directory',
      })
      .optional(),
    parallel: wholeNumberAbove0.default(1),
    tasks: z
      .array(task, { error: 'expected one or more [[tasks]]' })
      .min(1, { error: 'expected one or more [[tasks]]' }),
    /** Settings that eval_rollouts.py does not have; other keys are settings of the target, such as `agent`. */
    assay: z
      .looseObject({
        limits: limits.prefault({}),
        order: order.default('interleaved'),
        out_root: text.default('data/rollouts'),
        models: models.optional(),
        calls: calls.optional(),
      })
      .prefault({}),
  }),
)

export type WrittenRollouts = z.output<typeof rolloutsSchema>
export type WrittenTask = z.output<typeof task>
