import * as z from 'zod'
import { missingRules } from '../experiment.ts'
import type { Target } from '../target.ts'
import { blocks, cells, seeds } from './blocks-schema.ts'
import { calls } from './calls-schema.ts'
import { ablations, constraints, exclude, factors, include, zip } from './factors-schema.ts'
import { hooks, inputs, outputs } from './files-schema.ts'
import { limits } from './limits-schema.ts'
import { metrics } from './metrics/metrics-schema.ts'
import { models } from './models-schema.ts'
import { needs } from './needs-schema.ts'
import { json, noOwnNames, type OwnNames, parameterName, text, wholeNumberAbove0 } from './parts.ts'
import { search } from './search-schema.ts'
import { targetSchema } from './target-schema.ts'

/** An experiment as it is written in the native dialect. The descriptions become help in editors. */
export const experimentSchema = (targets: readonly Target[], own: OwnNames = noOwnNames) =>
  z.strictObject({
    $schema: z.string().optional().describe('For editors; ignored.'),
    name: experimentName.describe('Names the directory of the results.'),
    description: z.string().default('').describe('What this experiment is meant to find out.'),
    target: targetSchema(targets),
    targets: modules.optional().describe('Modules with targets of your own.'),
    planners: modules.optional().describe('Modules with planners of your own, named by `search.method`.'),
    stoppers: modules.optional().describe('Modules with stoppers of your own, named by `search.early_stop.type`.'),
    metric_sources: modules.optional().describe('Modules with metric sources of your own, named by `source`.'),
    params: z.record(parameterName, json).default({}).describe('Parameters that every run has.'),
    factors: factors.prefault({}),
    zip: zip.prefault([]),
    include: include.default([]),
    exclude: exclude.default([]),
    ablations: ablations.prefault([]),
    constraints: constraints.prefault([]),
    seeds: seeds.optional(),
    blocks: blocks.prefault({}),
    replicates: wholeNumberAbove0.default(1).describe('How often each variant is run in each block.'),
    cells: cells.optional(),
    search: search(own).optional(),
    order: order.default('interleaved'),
    seed: z
      .int({ error: 'expected a whole number' })
      .default(1)
      .describe("The experiment's own random seed: order, and seeds of runs whose block names none."),
    limits: limits.prefault({}),
    needs: needs.optional(),
    models: models.optional(),
    calls: calls.optional(),
    metrics: metrics(own.metric_sources).prefault({}),
    analysis: analysis.prefault({}),
    inputs: inputs.default([]),
    outputs: outputs.prefault([]),
    hooks: hooks.prefault({}),
    record_env: z.array(text).default([]).describe('Environment variables to record besides the usual ones.'),
    naming: naming.optional(),
    out_root: text.default('results').describe("Where results go, relative to this file's folder."),
    directory: directory.optional(),
  })

const directory = z.lazy(() =>
  z
    .union([z.enum(['named', 'dated']), z.strictObject({ path: text })], {
      error: 'expected named, dated or { path: <folder> }',
    })
    .describe(
      'The folder of the results: named after the experiment (default), dated (a new series as soon as the newest is complete), or exactly the one at `path`, relative to this file.',
    ),
)

/** Paths of modules. */
const modules = z.lazy(() => z.array(text))

const expectedShare = 'expected a share such as 95% or 0.95'

/** `95%` or 0.95. */
const passShare = z.lazy(() =>
  z.union(
    [
      z.number().min(0, { error: expectedShare }).max(1, { error: expectedShare }),
      z
        .string()
        .regex(/^(100(\.0+)?|\d?\d(\.\d+)?)\s*%$/, { error: expectedShare })
        .transform(given => Number.parseFloat(given) / 100),
    ],
    { error: expectedShare },
  ),
)

const positive = z.number().positive({ error: 'expected a number above 0' })

/** The defaults of the analysis; options of the commands override them. */
const analysis = z.lazy(() =>
  z
    .strictObject({
      baseline: z
        .record(parameterName, json)
        .nullable()
        .default(null)
        .describe('The levels of the variant that others are compared with, e.g. { strategy: raw }.'),
      require: z
        .strictObject({ pass: passShare.describe('The share of runs that must pass: 95% or 0.95.') })
        .optional()
        .describe('What must be reached: `run` exits with 1 otherwise.'),
      missing: z
        .enum(missingRules)
        .optional()
        .describe(
          'What runs without a value count as in comparisons: left out (failed, omit), 0 (zero), worse than every value (worst-rank), anything within the range of the metric (bounds), or an error (refuse).',
        ),
      weights: z
        .union([text, z.record(z.string(), positive)], { error: 'expected a name, or a weight above 0 for each unit' })
        .optional()
        .describe(
          'How much each task (or other unit) counts: { easy-1: 1, hard-1: 3 }, or the name of a block, parameter or metric that holds it.',
        ),
      family: z
        .array(text)
        .min(2, { error: 'expected two metrics or more' })
        .optional()
        .describe('Metrics that decide together: p of each is corrected for all of them, and for all candidates.'),
      strata: z
        .union(
          [
            text.transform(by => ({ by })),
            z
              .strictObject({
                by: text.optional().describe('The block or parameter that says which stratum a unit is of.'),
                groups: z.record(z.string(), z.array(json)).optional().describe('The units of each stratum.'),
                shares: z.record(z.string(), positive).optional().describe('The share of each stratum.'),
              })
              .refine(({ by, groups }) => (by === undefined) !== (groups === undefined), {
                error: 'expected "by" or "groups", one of the two',
              }),
          ],
          { error: 'expected a name, or { by: …, shares: … } or { groups: …, shares: … }' },
        )
        .optional()
        .describe(
          'Kinds of tasks (or other units) that are compared apart and averaged: category, or { groups, shares }.',
        ),
    })
    .describe('How the results are to be compared.'),
)

/** A name becomes a directory, so it must not lead out of the results. */
const experimentName = z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u, {
  error: 'expected a name of letters, digits, "_", "-" and ".", since it names a directory',
})

/** It becomes a directory too: only safe characters, and braces around placeholders. */
const naming = z
  .string()
  .regex(/^(?:[\p{L}\p{N}_]|\{[^{}]+\})(?:[\p{L}\p{N}_.-]|\{[^{}]+\})*$/u, {
    error: 'expected a template such as "{name}.{policy}.seed{seed}" of letters, digits, "_", "-", "." and {names}',
  })
  .describe('Names the runs, e.g. "{name}.{policy}.seed{seed}", instead of a slug that ends in a hash.')

export const order = z
  .enum(['interleaved', 'listed', 'shuffled'])
  .describe('Interleaved: all variants of a block one after the other, so that drift affects them equally.')
