import * as z from 'zod'
import { isJsonObject, type JsonObject } from '../../util/json.ts'
import { cacheMarks } from '../model-call.ts'
import { storedMessage, storedPart } from './stored-message.ts'
import { recorders } from './trajectory.ts'

/**
 * ATIF, Harbor's interchange format for trajectories. Every `ATIF-v1.x` is read: fields that are not listed here are let
 * through and noted, fields with a wrong type refuse the file. Programs write absent values as null too.
 */
export const atifVersion = /^ATIF-v1\.\d+$/

const anyObject = z.custom<JsonObject>(isJsonObject, { error: 'expected an object' })
const tokens = z.number().nonnegative().nullish()

export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

const contentPart = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('image'), source: z.looseObject({ media_type: z.string(), path: z.string() }) }),
  ]),
)
const content = z.lazy(() => z.union([z.string(), z.array(contentPart)]))
export type AtifContent = z.infer<typeof content>

const toolCall = z.lazy(() =>
  z.looseObject({
    tool_call_id: z.string(),
    function_name: z.string(),
    arguments: anyObject,
    extra: anyObject.nullish(),
  }),
)

const result = z.lazy(() =>
  z.looseObject({
    source_call_id: z.string().nullish(),
    content: content.nullish(),
    subagent_trajectory_ref: z.array(anyObject).nullish(),
    extra: anyObject.nullish(),
  }),
)
export type AtifResult = z.infer<typeof result>

const metrics = z.lazy(() =>
  z.looseObject({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    cached_tokens: tokens,
    cost_usd: z.number().nullish(),
    prompt_token_ids: z.unknown().optional(),
    completion_token_ids: z.unknown().optional(),
    logprobs: z.unknown().optional(),
    extra: anyObject.nullish(),
  }),
)

const step = z.lazy(() =>
  z.looseObject({
    step_id: z.int().positive(),
    timestamp: z.string().nullish(),
    source: z.enum(['system', 'user', 'agent']),
    message: content.nullish(),
    observation: z.looseObject({ results: z.array(result) }).nullish(),
    model_name: z.string().nullish(),
    reasoning_effort: z.union([z.string(), z.number()]).nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
    metrics: metrics.nullish(),
    llm_call_count: z.int().nonnegative().nullish(),
    is_copied_context: z.boolean().nullish(),
    extra: anyObject.nullish(),
  }),
)
export type AtifStep = z.infer<typeof step>

/** Not lazy: TypeScript could not infer the type of a lazy schema that contains itself. */
export const atifSchema = z.looseObject({
  schema_version: z.string().regex(atifVersion),
  session_id: z.string().nullish(),
  trajectory_id: z.string().nullish(),
  agent: z.looseObject({
    name: z.string(),
    version: z.string().nullish(),
    model_name: z.string().nullish(),
    tool_definitions: z.array(anyObject).nullish(),
    extra: anyObject.nullish(),
  }),
  steps: z.array(step),
  notes: z.string().nullish(),
  final_metrics: z
    .looseObject({
      total_prompt_tokens: tokens,
      total_completion_tokens: tokens,
      total_cached_tokens: tokens,
      total_cost_usd: z.number().nullish(),
      total_steps: z.number().nullish(),
      extra: anyObject.nullish(),
    })
    .nullish(),
  continued_trajectory_ref: z.string().nullish(),
  get subagent_trajectories(): z.ZodOptional<z.ZodNullable<z.ZodArray<typeof atifSchema>>> {
    return z.array(atifSchema).nullish()
  },
  extra: anyObject.nullish(),
})
export type Atif = z.infer<typeof atifSchema>

/** Everything below is `extra.assay`: the facts that ATIF has no field for, in files that assay wrote. */
const amount = z.number().nullable()
const usage = z.lazy(() =>
  z.strictObject({
    input_tokens: z.number(),
    cached_input_tokens: z.number(),
    cache_write_tokens: z.number(),
    cache_write_1h_tokens: z.number().optional(),
    output_tokens: z.number(),
    reasoning_tokens: z.number(),
  }),
)
const sums = z.lazy(() =>
  z.strictObject({
    calls: amount,
    cost_usd: amount,
    price_usd: amount,
    raw_input_tokens: amount,
    cached_input_tokens: amount,
    output_tokens: amount,
    reasoning_tokens: amount,
  }),
)

export const rootExtra = z.lazy(() =>
  z.strictObject({
    id: z.string(),
    task: z.string().optional(),
    recorded_by: z.enum(recorders),
    exit_status: z.string().nullable(),
    submission: z.string().nullable(),
    review_score: amount,
    totals: z.strictObject({ agent: sums, summary: sums, rloop: sums }),
    summaries: z.array(
      z.strictObject({
        text: z.string(),
        from: z.int(),
        to: z.int(),
        call: z
          .strictObject({
            model: z.string().nullable(),
            usage: usage.nullable(),
            cost_usd: amount,
            price_usd: amount,
            inference_ms: amount,
          })
          .nullable(),
      }),
    ),
    notes: z.array(z.string()),
    agent: z.strictObject({ version: z.string().nullable(), strategy: anyObject.nullable() }),
  }),
)

const promptPart = z.lazy(() =>
  z.union([
    z.strictObject({ from: z.int(), to: z.int(), masked: z.literal(true).optional() }),
    z.strictObject({ summary: z.int() }),
    z.strictObject({ message: storedMessage }),
  ]),
)

export const stepExtra = z.lazy(() =>
  z.strictObject({
    /** The step is the first of a turn. */
    turn: z
      .strictObject({
        from: z.int(),
        to: z.int(),
        kind: z.enum(['turn', 'again', 'autosubmit']),
        prompt: z.array(promptPart).nullable(),
        price_usd: amount,
        inference_ms: amount,
        execution_ms: amount,
        /** A value that is not ISO 8601 can't be the step's timestamp. */
        started_at: z.string().optional(),
        cache_write_tokens: z.number().optional(),
        cache_write_1h_tokens: z.number().optional(),
        reasoning_tokens: z.number().optional(),
      })
      .optional(),
    /** The step represents no message. */
    is_blank: z.literal(true).optional(),
    cache: z.enum(cacheMarks).optional(),
    /** The lengths of the pieces of reasoning that `reasoning_content` joins, and the provider's own data. */
    reasoning: z.array(z.strictObject({ length: z.int(), provider_data: anyObject.optional() })).optional(),
    /** Parts of the content that ATIF can't express, by their place. */
    parts: z.array(z.tuple([z.int(), storedPart])).optional(),
  }),
)

export const resultExtra = z.lazy(() =>
  z.strictObject({
    name: z.string().optional(),
    /** For a result whose call is not in its step. */
    tool_call_id: z.string().optional(),
    is_error: z.boolean().optional(),
    cache: z.enum(cacheMarks).optional(),
    parts: z.array(z.tuple([z.int(), storedPart])).optional(),
  }),
)

export const callExtra = z.lazy(() => z.strictObject({ provider_data: anyObject }))
