import * as z from 'zod'
import { isJsonObject, type JsonObject } from '../../util/json.ts'
import { type ContentPart, cacheMarks, type Message } from '../model-call.ts'

const jsonObject = z.custom<JsonObject>(isJsonObject, { error: 'expected an object' })
const media = {
  type: z.enum(['image', 'file']),
  media_type: z.string(),
  name: z.string().optional(),
}

/** A part of a content as assay's own files have it. */
export const storedPart: z.ZodType<ContentPart> = z.lazy(() =>
  z.union([
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ ...media, data: z.string() }),
    z.strictObject({ ...media, url: z.string() }),
  ]),
)

const content = z.lazy(() => z.union([z.string(), z.array(storedPart)]))
const cache = z.enum(cacheMarks).optional()

/** A message as assay's own files have it. */
export const storedMessage: z.ZodType<Message> = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.strictObject({ role: z.literal('system'), content: z.string(), cache }),
    z.strictObject({ role: z.literal('user'), content, cache }),
    z.strictObject({
      role: z.literal('assistant'),
      content: z.string(),
      tool_calls: z
        .array(
          z.strictObject({
            id: z.string(),
            name: z.string(),
            arguments: jsonObject,
            provider_data: jsonObject.optional(),
          }),
        )
        .optional(),
      reasoning: z.array(z.strictObject({ text: z.string(), provider_data: jsonObject.optional() })).optional(),
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
