import * as z from 'zod'
import type { Json, JsonObject } from '../../../../util/json.ts'
import type { Message, ToolCall } from '../../../model-call.ts'
import { promptOf } from '../../../prices/prefix-cache.ts'
import {
  bad,
  isReasoningName,
  listed,
  plainObject,
  readOpenai,
  refuseLooseSchema,
  refuseSampling,
  refuseUnsupported,
} from '../openai-reading.ts'
import type { Desk, SimRequest } from '../wire.ts'
import { checkChatHistory } from './chat-history.ts'
import { type ChatMessage, messageSchema } from './chat-message.ts'
import { chatTool, toolSchema } from './chat-tools.ts'

export interface ChatRequest extends SimRequest {
  /** Whether a stream ends with the usage. */
  readonly include_usage: boolean
  /** Tools that take one text in place of JSON. */
  readonly custom: readonly string[]
}

/** A request of OpenAI's chat completions; what OpenAI refuses is refused in the same words. */
export function readChat(body: JsonObject, desk: Desk): ChatRequest {
  const written = readOpenai(requestSchema, body)
  const { model, messages, tools } = written
  refuseUnsupported(body, ['functions', 'function_call', 'logprobs', 'top_logprobs', 'audio', 'prediction'])
  const { max_output } = desk.settingOf(model)
  refuseSampling(model, written)
  checkChatHistory(messages)
  const names = new Map<string, string>()
  const prompt = {
    messages: messages.map((message, index) => messageOf(message, names, index)),
    tools: tools?.map(chatTool),
    schema: schemaOf(written),
  }
  return {
    model,
    ...prompt,
    prompt: promptOf(prompt),
    tool_choice: toolChoiceOf(written),
    parallel_tool_calls: written.parallel_tool_calls ?? undefined,
    stop: [written.stop ?? []].flat(),
    max_output_tokens: longestAnswer(written, max_output),
    thinks: written.reasoning_effort === 'none' ? false : undefined,
    seed: written.seed ?? undefined,
    stream: written.stream ?? false,
    choices: written.n ?? 1,
    include_usage: written.stream_options?.include_usage ?? false,
    custom: (tools ?? []).flatMap(({ custom }) => custom?.name ?? []),
  }
}

const partKinds = ['text', 'image_url', 'input_audio', 'file', 'refusal']

const requestSchema = z.lazy(() =>
  z.looseObject({
    model: z.string(),
    messages: z.array(messageSchema).min(1),
    tools: z
      .array(toolSchema)
      .min(1)
      .nullish()
      .transform(tools => tools ?? undefined),
    tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.string() })]).nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: z
      .looseObject({
        type: z.enum(['text', 'json_object', 'json_schema']),
        json_schema: z
          .looseObject({ name: z.string(), schema: plainObject.optional(), strict: z.boolean().nullish() })
          .optional(),
      })
      .nullish(),
    max_tokens: z.int().min(1).nullish(),
    max_completion_tokens: z.int().min(1).nullish(),
    reasoning_effort: z.string().nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
    n: z.int().min(1).max(128).nullish(),
    seed: z.int().nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  }),
)

type Written = z.output<typeof requestSchema>

function longestAnswer({ model, max_tokens, max_completion_tokens }: Written, most: number | undefined): number {
  const isGiven = (value: number | null | undefined): value is number => value !== undefined && value !== null
  if (isGiven(max_tokens) && isGiven(max_completion_tokens))
    throw bad("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", 'max_tokens')
  if (isGiven(max_tokens) && isReasoningName(model))
    throw bad(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  const [param, given] = isGiven(max_tokens)
    ? ['max_tokens', max_tokens]
    : ['max_completion_tokens', max_completion_tokens]
  if (!isGiven(given)) return most ?? 4096
  if (most !== undefined && given > most)
    throw bad(
      `${param} is too large: ${given}. This model supports at most ${most} completion tokens, whereas you provided ${given}.`,
      param,
      'invalid_value',
    )
  return given
}

function toolChoiceOf({ tool_choice, tools, parallel_tool_calls }: Written): ChatRequest['tool_choice'] {
  for (const [name, value] of Object.entries({ tool_choice, parallel_tool_calls }))
    if (value !== undefined && value !== null && tools === undefined)
      throw bad(`Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`, name)
  if (tool_choice === undefined || tool_choice === null) return undefined
  if (typeof tool_choice === 'string') return tool_choice
  const named = (tool_choice.function ?? tool_choice.custom) as { readonly name?: unknown } | undefined
  if (typeof named?.name !== 'string')
    throw bad(
      `Invalid value: '${tool_choice.type}'. Supported values are: 'function' and 'custom'.`,
      'tool_choice.type',
      'invalid_value',
    )
  const { name } = named
  if (!tools?.some(tool => (tool.function ?? tool.custom)?.name === name))
    throw bad(`Invalid value for 'tool_choice': tool '${name}' not found in 'tools' parameter.`, 'tool_choice')
  return { tool: name }
}

const anyObject: JsonObject = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }

function schemaOf({ response_format, messages }: Written): JsonObject | undefined {
  if (response_format?.type === 'json_object') {
    if (!/json/i.test(JSON.stringify(messages)))
      throw bad(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        'messages',
      )
    return anyObject
  }
  if (response_format?.type !== 'json_schema') return undefined
  const { json_schema } = response_format
  if (json_schema?.schema === undefined)
    throw bad(
      "Missing required parameter: 'response_format.json_schema'.",
      'response_format.json_schema',
      'missing_required_parameter',
    )
  if (json_schema.strict === true)
    refuseLooseSchema(json_schema.schema, { what: `response_format '${json_schema.name}'`, param: 'response_format' })
  return json_schema.schema
}

/** `names`: which tool each call was for, since the result of a tool only names the call. */
function messageOf(message: ChatMessage, names: Map<string, string>, index: number): Message {
  const said = textOf(message.content, index)
  switch (message.role) {
    case 'assistant': {
      const tool_calls = (message.tool_calls ?? []).map((call): ToolCall => {
        const name = call.function?.name ?? call.custom?.name ?? ''
        names.set(call.id, name)
        const given =
          call.function === undefined ? { input: call.custom?.input ?? '' } : argumentsOf(call.function.arguments)
        return { id: call.id, name, arguments: given }
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

function textOf(written: ChatMessage['content'], index: number): string {
  if (typeof written === 'string') return written
  return (written ?? [])
    .map((part, at) => {
      if (!partKinds.includes(part.type))
        throw bad(
          `Invalid value: '${part.type}'. Supported values are: ${listed(partKinds)}.`,
          `messages[${index}].content[${at}].type`,
          'invalid_value',
        )
      return part.text ?? `[${part.type}]`
    })
    .join('')
}

/** Arguments written by a model; broken JSON is kept, since models write that too. */
export function argumentsOf(text: string): JsonObject {
  try {
    const parsed: Json = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as JsonObject)
      : { value: parsed }
  } catch {
    return { malformed: text }
  }
}
