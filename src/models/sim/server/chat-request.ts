import * as z from 'zod'
import type { Json, JsonObject } from '../../../util/json.ts'
import type { Message, Tool, ToolCall } from '../../model-call.ts'

/** What of OpenAI's chat completions the simulated server understands; the rest is let through. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[] | undefined
  readonly schema: JsonObject | undefined
  readonly max_output_tokens: number
  readonly seed: number | undefined
  readonly stream: boolean
  /** Whether a stream ends with what it took. */
  readonly include_usage: boolean
}

/** From the body of a request; a text that says what is wrong with it. */
export function readChatRequest(body: unknown): ChatRequest | string {
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `${issue?.path.join('.') || 'the request'}: ${issue?.message ?? 'is not understood'}`
  }
  const { model, messages, tools, response_format, seed, stream, stream_options, ...written } = parsed.data
  const names = new Map<string, string>()
  return {
    model,
    messages: messages.map(message => messageOf(message, names)),
    tools: tools?.map(tool => tool.function),
    schema: response_format?.json_schema?.schema ?? (response_format?.type === 'json_object' ? anyObject : undefined),
    max_output_tokens: written.max_completion_tokens ?? written.max_tokens ?? 4096,
    seed: seed ?? undefined,
    stream: stream ?? false,
    include_usage: stream_options?.include_usage ?? false,
  }
}

const anyObject: JsonObject = { type: 'object', properties: { answer: { type: 'string' } } }

const plainObject = z.record(
  z.string(),
  z.custom<Json>(() => true),
)

const content = z.union([
  z.string(),
  z.null().transform(() => ''),
  z
    .array(z.looseObject({ type: z.string(), text: z.string().optional() }))
    .transform(parts => parts.map(part => part.text ?? '').join('')),
])

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: content.optional(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .nullish(),
})

const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({
          name: z.string(),
          description: z.string().default(''),
          parameters: plainObject.default({}),
        }),
      }),
    )
    .nullish()
    .transform(tools => tools ?? undefined),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ schema: plainObject }).optional() })
    .nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  seed: z.int().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
})

/** `names`: which tool each call was of, since the answer of a tool names only the call. */
function messageOf(message: z.output<typeof messageSchema>, names: Map<string, string>): Message {
  const said = message.content ?? ''
  switch (message.role) {
    case 'assistant': {
      const tool_calls = (message.tool_calls ?? []).map((call): ToolCall => {
        names.set(call.id, call.function.name)
        return { id: call.id, name: call.function.name, arguments: argumentsOf(call.function.arguments) }
      })
      return { role: 'assistant', content: said, ...(tool_calls.length === 0 ? {} : { tool_calls }) }
    }
    case 'tool': {
      const id = message.tool_call_id ?? ''
      return { role: 'tool', tool_call_id: id, name: names.get(id) ?? '', content: said }
    }
    case 'developer':
      return { role: 'system', content: said }
    default:
      return { role: message.role, content: said }
  }
}

function argumentsOf(text: string): JsonObject {
  try {
    return JSON.parse(text)
  } catch {
    return { malformed: text }
  }
}
