import * as z from 'zod'
import { type Outcome, outcomeKinds } from './outcome.ts'
import { type AttemptResult, attemptModes, type ResourceUsage } from './run.ts'
import type { Fields } from './stored/fields.ts'

/**
 * The fields that a result has under the same names in `result.json` and in messages between machines. A field that is
 * missing here, or of another type, does not compile. One that earlier versions did not write needs a default: their
 * files and workers remain.
 */
export const resultFields = () =>
  ({
    token: z.string(),
    outcome: z.looseObject(outcomeFields()),
    mode: z.enum(attemptModes).default('run'),
    ...usageFields(),
    series: z.array(z.object({ metric: z.string(), steps: z.array(z.number()), values: z.array(z.number()) })),
    cost_usd: z.number().nullable(),
    cost_at_least_usd: z.number(),
    cost_assumed: z.boolean().exactOptional(),
    calls: z.number().default(0),
    tokens: z.number().default(0),
    outputs: z.array(z.string()),
    cwd: z.string(),
  }) satisfies Fields<Omit<AttemptResult, 'wall_s' | 'metrics' | 'command' | 'place'>>

const usageFields = () =>
  ({
    cpu_s: measuredNumber(),
    max_rss_bytes: measuredNumber(),
  }) satisfies Fields<ResourceUsage>

/** An earlier version did not measure it. */
const measuredNumber = () => z.number().nullable().default(null)

const outcomeFields = () =>
  ({
    kind: z.enum(outcomeKinds),
    exit_code: z.number().nullable().exactOptional(),
    signal: z.string().nullable().exactOptional(),
    error_class: z.string().exactOptional(),
    message: z.string().exactOptional(),
    said: z.string().exactOptional(),
    unsupported_environment: z.boolean().exactOptional(),
    sandbox: z.string().exactOptional(),
    limit: z.string().exactOptional(),
    limit_at: z.number().nullable().exactOptional(),
    only_scoring_left: z.boolean().exactOptional(),
    exit_status: z.string().exactOptional(),
  }) satisfies Fields<Outcome>
