import * as z from 'zod'
import { seeds } from '../../schema/blocks-schema.ts'
import { order } from '../../schema/experiment-schema.ts'
import { limits } from '../../schema/limits-schema.ts'
import { modelSettings } from '../../schema/models-schema.ts'
import { json, text, wholeNumberAbove0 } from '../../schema/parts.ts'

const number = z.number({ error: 'expected a number' })
const above0 = number.positive({ error: 'expected a number above 0' })
const expectedValues = 'expected a list with at least one value'

/**
 * Every key that some form of a parameter has; which of them go together, and whether there are others, is checked
 * later.
 */
export const parameterKeys = {
  distribution: text.optional(),
  value: json.optional(),
  values: z.array(json, { error: expectedValues }).min(1, { error: expectedValues }).optional(),
  probabilities: z
    .array(number.min(0, { error: 'expected a number of at least 0' }), { error: 'expected a list of numbers' })
    .optional(),
  min: number.optional(),
  max: number.optional(),
  q: above0.optional(),
  mu: number.optional(),
  sigma: above0.optional(),
  a: above0.optional(),
  b: above0.optional(),
}

export type WrittenParameter = {
  readonly [Key in keyof typeof parameterKeys]?: z.output<(typeof parameterKeys)[Key]> | undefined
} & { readonly parameters?: WrittenParameters | undefined }

export interface WrittenParameters {
  readonly [name: string]: WrittenParameter
}

const expectedParameter = 'expected a map such as { value: 3 }, { values: [1, 2] } or { min: 0, max: 1 }'
const expectedParameters = 'expected at least one parameter, such as lr: { values: [0.01, 0.001] }'

/** More than elsewhere: W&B only warns of names such as Hydra's `+model/optimizer`, `~seed` and `db@server`. */
const name = z
  .string()
  .regex(/^[\p{L}\p{N}_+~^/@.:%-]*[\p{L}_][\p{L}\p{N}_+~^/@.:%-]*$/u, {
    error: 'expected a name with a letter and without spaces, quotes and brackets',
  })
  .refine(name => !name.startsWith('-') && !(name in Object.prototype), { error: 'expected another name' })

const parameters: z.ZodType<WrittenParameters> = z.lazy(() =>
  z
    .record(
      name,
      z.object({ ...parameterKeys, parameters: parameters.optional() }, { error: expectedParameter }).catchall(json),
      { error: issue => (issue.code === 'invalid_type' ? expectedParameters : undefined) },
    )
    .refine(written => Object.keys(written).length > 0, { error: expectedParameters }),
)

const metric = z.lazy(() =>
  z.strictObject({
    name: text,
    goal: z
      .enum(['minimize', 'maximize'], {
        error:
          'expected "minimize" or "maximize" (W&B only warns: bayes then minimizes, and best_run() takes the largest value)',
      })
      .default('minimize'),
    target: number.optional(),
    impute: z.enum(['worst', 'best', 'latest']).default('worst'),
    impute_while_running: z
      .union([z.enum(['latest', 'best', 'worst', 'false']), z.literal(false)], {
        error: 'expected "latest", "best", "worst" or false',
      })
      .optional(),
    /** assay's own key: which of a run's values decides the winner, if not the last. */
    value: z.enum(['last', 'best']).optional(),
  }),
)

export const metricKeys = (): readonly string[] => Object.keys(metric.unwrap().shape)

const earlyTerminate = z.lazy(() =>
  z.strictObject({
    type: z.literal('hyperband'),
    min_iter: wholeNumberAbove0.optional(),
    max_iter: wholeNumberAbove0.optional(),
    s: wholeNumberAbove0.optional(),
    eta: number.gt(1, { error: 'expected a number above 1' }).default(3),
    strict: z.boolean().default(true),
  }),
)

export const earlyTerminateKeys = (): readonly string[] => Object.keys(earlyTerminate.unwrap().shape)

/** Methods that are not just misspelt. */
function methodMistake(method: unknown): string | undefined {
  if (typeof method === 'string' && /^bay/i.test(method)) return 'expected "bayes"'
  return method === 'custom'
    ? 'the method "custom" needs your own program to choose the runs; expected "grid", "random" or "bayes"'
    : undefined
}

/** A W&B sweep file as it is written. */
export const sweepSchema = z.lazy(() =>
  z.strictObject({
    program: text.optional(),
    name: text.optional(),
    description: z.string().default(''),
    project: text.optional(),
    entity: text.optional(),
    method: z.enum(['grid', 'random', 'bayes'], { error: ({ input }) => methodMistake(input) }),
    metric: metric.optional(),
    parameters,
    early_terminate: earlyTerminate.optional(),
    run_cap: wholeNumberAbove0.optional(),
    command: z
      .array(json, { error: 'expected a list such as ["${env}", "${interpreter}", "${program}", "${args}"]' })
      .min(1, { error: 'expected at least one item' })
      .optional(),
    // Known to W&B, and reported here.
    metrics: json.optional(),
    controller: json.optional(),
    scheduler: json.optional(),
    job: json.optional(),
    image_uri: json.optional(),
    apiVersion: json.optional(),
    kind: json.optional(),
    /** Only ever set on the command line: `--set wandb=real`, and options that the format lacks. */
    wandb: z.enum(['shim', 'real', 'off']).default('shim'),
    assay: z
      .strictObject({
        limits: limits.prefault({}),
        order: order.optional(),
        seeds: seeds.optional(),
        out_root: text.default('results'),
        models: z.union([text, modelSettings]).optional(),
        instances: text.optional(),
      })
      .prefault({}),
  }),
)

export type WrittenSweep = z.output<typeof sweepSchema>
