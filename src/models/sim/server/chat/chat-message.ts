import * as z from 'zod'

const content = z.lazy(() =>
  z.union([z.string(), z.null(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
)

/** A message of OpenAI's chat completions, with the fields that are read. */
export const messageSchema = z.lazy(() =>
  z.looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: content.optional(),
    tool_call_id: z.string().optional(),
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string(),
          function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
          custom: z.looseObject({ name: z.string(), input: z.string() }).optional(),
        }),
      )
      .min(1)
      .nullish(),
  }),
)

export type ChatMessage = z.output<typeof messageSchema>
