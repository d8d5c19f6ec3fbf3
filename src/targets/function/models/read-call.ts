import * as z from 'zod'
import { reasoningEfforts } from '../../../define/models/model-settings.ts'
import { cacheMarks, type ModelCall } from '../../../models/model-call.ts'
import type { JsonObject } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'

/** A function's call: scripts have no types, so it is validated. Throws a TypeError that says what is wrong. */
export function readCall(given: unknown): ModelCall {
  const { success, data, error } = callSchema.safeParse(given)
  if (success) return data
  const [issue] = error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  const what = issue === undefined ? 'is not understood' : `${issue.message.toLowerCase()}${hintFor(issue)}`
  throw new TypeError(`context.models: ${path === '' ? 'the call' : path}: ${what}`)
}

function hintFor(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return ''
  const [key = ''] = issue.keys
  const hint = issue.path.length === 0 ? didYouMean(key, Object.keys(callSchema.unwrap().shape)) : undefined
  return hint === undefined ? '' : `; ${hint}`
}

/** Any JSON: it is passed on unchanged, and may be large. */
const object = z.custom<JsonObject>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
)

const media = { media_type: z.string(), name: z.string().optional() }
const part = z.lazy(() =>
  z.union([
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.enum(['image', 'file']), ...media, data: z.base64() }),
    z.strictObject({ type: z.enum(['image', 'file']), ...media, url: z.string() }),
  ]),
)
const content = z.lazy(() => z.union([z.string(), z.array(part)]))
const cache = z.enum(cacheMarks).optional()
const toolCall = z.lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    arguments: object,
    provider_data: object.optional(),
  }),
)
const reasoning = z.lazy(() => z.strictObject({ text: z.string(), provider_data: object.optional() }))

const message = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.strictObject({ role: z.literal('system'), content: z.string(), cache }),
    z.strictObject({ role: z.literal('user'), content, cache }),
    z.strictObject({
      role: z.literal('assistant'),
      content: z.string(),
      tool_calls: z.array(toolCall).optional(),
      reasoning: z.array(reasoning).optional(),
      cache,
    }),
    z.strictObject({
      role: z.literal('tool'),
      tool_call_id: z.string(),
      name: z.string(),
      content,
      is_error: z.boolean().optional(),
      cache,
    }),
  ]),
)

const callSchema = z.lazy(
  () =>
    z.strictObject({
      model: z.string().min(1),
      messages: z.array(message).min(1),
      temperature: z.number().optional(),
      top_p: z.number().optional(),
      max_output_tokens: z.int().positive().optional(),
      stop: z.array(z.string()).optional(),
      reasoning: z.enum(reasoningEfforts).optional(),
      seed: z.int().optional(),
      schema: object.optional(),
      tools: z
        .array(z.strictObject({ name: z.string().min(1), description: z.string(), parameters: object }))
        .optional(),
      tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.strictObject({ tool: z.string() })]).optional(),
      parallel_tool_calls: z.boolean().optional(),
      purpose: z
        .string()
        .regex(/^[a-z][\w-]*$/i, 'expected a word such as "agent" or "summary"')
        .default('agent'),
    }) satisfies z.ZodType<ModelCall>,
)
