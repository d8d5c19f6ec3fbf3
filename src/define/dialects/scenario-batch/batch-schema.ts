import * as z from 'zod'
import { calls } from '../../schema/calls-schema.ts'
import { order } from '../../schema/experiment-schema.ts'
import { limits } from '../../schema/limits-schema.ts'
import { models } from '../../schema/models-schema.ts'
import { duration, json, text, usd, wholeNumberAbove0 } from '../../schema/parts.ts'
import type { Path } from '../../source/source.ts'

const trueOrFalse = z.boolean({ error: 'expected true or false' })

const seconds = duration.refine(ms => ms > 0, { error: 'expected a number of seconds above 0' })

const runLimit = z
  .number({ error: 'expected an amount in USD above 0' })
  .gt(0, { error: 'expected an amount in USD above 0; without a limit, leave the key out' })

const oneVariation = z.lazy(() =>
  z.strictObject({
    type: text,
    actor: text.optional(),
    parameter: text.optional(),
    values: z.array(json, { error: 'expected a list of values' }).optional(),
  }),
)

const variation = z.lazy(() =>
  oneVariation.unwrap().extend({
    /** What varies together, for the type `zip`. */
    variations: z.array(oneVariation, { error: 'expected a list of variations' }).optional(),
  }),
)

const byName = z.lazy(() =>
  z.record(text, z.array(json, { error: 'expected a list of values' }), {
    error: 'expected a list of values for each name',
  }),
)

/** In the form of later versions: by actor and by parameter. */
const variationsByName = z.lazy(() =>
  z.strictObject({ actor_models: byName.optional(), scenario_parameters: byName.optional() }),
)

const metric = z.lazy(() =>
  z.strictObject({ goal: z.enum(['minimize', 'maximize']), primary: trueOrFalse.default(false) }),
)

/** A batch as Scenario Lab's batch_runner.py reads it. */
export const batchSchema = z.lazy(() =>
  z.strictObject({
    experiment_name: text,
    description: z.string({ error: 'expected text' }).nullish(),
    base_scenario: text,
    runs_per_variation: wholeNumberAbove0.default(1),
    max_parallel: wholeNumberAbove0.default(1),
    timeout_per_run: seconds.nullable().default(1_800_000),
    budget_limit: usd.nullable().default(null),
    cost_per_run_limit: runLimit.nullable().default(null),
    variations: z
      .union([z.array(variation), variationsByName], { error: 'expected a list of variations' })
      .nullable()
      .default([]),
    /** As in the first version, which has a default. */
    output_dir: text.default('experiments/batch-run'),
    save_individual_runs: trueOrFalse.default(true),
    aggregate_metrics: trueOrFalse.default(true),
    resume_from: text.nullish(),
    /** Settings that batch_runner.py does not have. */
    assay: z
      .strictObject({
        limits: limits.prefault({}),
        order: order.default('interleaved'),
        /** How many of all combinations are run. */
        sample: wholeNumberAbove0.optional(),
        seed: z.int({ error: 'expected a whole number' }).default(1),
        seeds: z
          .array(z.int({ error: 'expected a whole number' }))
          .min(1)
          .optional(),
        models: models.optional(),
        calls: calls.optional(),
        metrics: z.record(text, metric).default({}),
        /** RUN:TURN, or several. */
        branch_from: z
          .union([text, z.array(text).min(1)], { error: 'expected RUN:TURN, or a list of them' })
          .optional(),
        /** What differs in the branches, by path; a list has several levels, and null changes nothing. */
        branch_with: z.record(text, json).default({}),
        baseline: z.record(text, json).nullable().default(null),
      })
      .prefault({}),
  }),
)

export type WrittenBatch = z.output<typeof batchSchema>

/** Where a batch writes what other experiments write under `limits`. */
export const limitPaths: { readonly [key: string]: Path } = {
  jobs: ['max_parallel'],
  timeout: ['timeout_per_run'],
  budget_usd: ['budget_limit'],
  run_budget_usd: ['cost_per_run_limit'],
}

/** Names that people have tried for these keys, and that no version of Scenario Lab reads. */
export const misnamed: { readonly [key: string]: string } = {
  max_parallel_workers: 'max_parallel',
  total_budget: 'budget_limit',
  per_run_budget: 'cost_per_run_limit',
  timeout: 'timeout_per_run',
  name: 'experiment_name',
  scenario: 'base_scenario',
  runs: 'runs_per_variation',
}
