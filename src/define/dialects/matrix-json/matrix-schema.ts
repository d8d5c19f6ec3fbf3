import * as z from 'zod'
import { order } from '../../schema/experiment-schema.ts'
import { limits } from '../../schema/limits-schema.ts'
import { json, text, wholeNumberAbove0 } from '../../schema/parts.ts'

const expectedLevels = 'expected a list with at least one level'
const expectedSeeds = 'expected a list of whole numbers, at least one'

const levels = z.lazy(() => z.array(json, { error: expectedLevels }).min(1, { error: expectedLevels }))
const seeds = z.lazy(() =>
  z.array(z.int({ error: 'expected a whole number' }), { error: expectedSeeds }).min(1, { error: expectedSeeds }),
)

const ablation = z.lazy(() =>
  z.looseObject({
    name: z.union([text, z.number(), z.boolean()], {
      error: ({ input }) => (input === undefined ? 'expected text' : undefined),
    }),
    flags: z.array(json, { error: 'expected a list of command-line flags, or null' }).nullish(),
  }),
)

/** The matrix as Cascade's sweep runner reads it; unknown top-level keys are ignored, as in that program. */
export const matrixJsonSchema = z.lazy(() =>
  z.object({
    name: text.optional(),
    sim_binary: text.default('./build/agent_sched_sim'),
    out_root: text.default('bench_runs'),
    common_args: z.record(z.string(), json).default({}),
    matrix: z
      .object({
        seeds: seeds.optional(),
        seed: seeds.optional(),
        ablations: z.array(ablation).min(1, { error: 'expected at least one ablation' }).optional(),
      })
      .catchall(levels)
      .prefault({}),
    jobs: wholeNumberAbove0.optional(),
    /** Settings that Cascade's sweep runner does not have; it ignores the key, so the file still runs there. */
    assay: z.strictObject({ limits: limits.prefault({}), order: order.optional() }).prefault({}),
  }),
)

export type MatrixJson = z.output<typeof matrixJsonSchema>
