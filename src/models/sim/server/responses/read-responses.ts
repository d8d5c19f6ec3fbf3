import * as z from 'zod'
import type { Json, JsonObject } from '../../../../util/json.ts'
import type { Message, ToolCall } from '../../../model-call.ts'
import { promptOf } from '../../../prices/prefix-cache.ts'
import { argumentsOf } from '../chat/read-chat.ts'
import {
  bad,
  listed,
  plainObject,
  readOpenai,
  refuseLooseSchema,
  refuseSampling,
  refuseUnsupported,
} from '../openai-reading.ts'
import { type Desk, type SimRequest, wordsOfParts } from '../wire.ts'
import { checkResponseHistory, isFromUser, notFound } from './response-history.ts'
import { type ResponseTool, responseToolChoice, responseTools } from './response-tools.ts'

export interface ResponsesRequest extends SimRequest {
  readonly tools: readonly ResponseTool[]
  /** The whole input, including that of earlier responses. */
  readonly items: readonly JsonObject[]
  /** Told again in the answer. */
  readonly written: JsonObject
  readonly store: boolean
  readonly has_summary: boolean
  readonly has_sealed_thoughts: boolean
}

/** A request of OpenAI's Responses API; what OpenAI refuses is refused in the same words. */
export function readResponses(body: JsonObject, desk: Desk): ResponsesRequest {
  const written = readOpenai(requestSchema, body)
  const { model } = written
  refuseUnsupported(body, ['background', 'conversation', 'prompt', 'top_logprobs', 'stop', 'n', 'max_tokens'])
  const { max_output } = desk.settingOf(model)
  refuseSampling(model, written)
  const offered = written.tools ?? []
  const tools = responseTools(offered)
  const items = itemsOf(written, desk)
  checkResponseHistory(items, desk.stored)
  const most = written.max_output_tokens ?? max_output ?? 4096
  if (max_output !== undefined && most > max_output)
    throw bad(
      `Invalid 'max_output_tokens': integer above maximum value. Expected a value <= ${max_output}, but got ${most} instead.`,
      'max_output_tokens',
      'integer_above_max_value',
    )
  const instructions = written.instructions ?? null
  const prompt = {
    tools,
    schema: schemaOf(written),
    messages: [
      ...(instructions === null ? [] : [{ role: 'system' as const, content: instructions }]),
      ...messagesOf(items),
    ],
  }
  return {
    model,
    ...prompt,
    prompt: promptOf(prompt),
    tool_choice: responseToolChoice(written.tool_choice, offered, tools),
    parallel_tool_calls: written.parallel_tool_calls ?? undefined,
    max_output_tokens: most,
    thinks: written.reasoning?.effort === 'none' ? false : undefined,
    seed: undefined,
    stream: written.stream ?? false,
    choices: 1,
    items,
    written: body,
    store: written.store ?? true,
    has_summary: (written.reasoning?.summary ?? null) !== null,
    has_sealed_thoughts: written.include?.includes('reasoning.encrypted_content') ?? false,
  }
}

const requestSchema = z.lazy(() =>
  z.looseObject({
    model: z.string(),
    input: z.union([z.string(), z.array(plainObject)]),
    instructions: z.string().nullish(),
    previous_response_id: z.string().nullish(),
    tools: z.array(plainObject).nullish(),
    tool_choice: z.union([z.string(), plainObject]).nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    max_output_tokens: z.int().min(16).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
    include: z.array(z.string()).nullish(),
    store: z.boolean().nullish(),
    stream: z.boolean().nullish(),
    text: z
      .looseObject({
        format: z
          .looseObject({
            type: z.enum(['text', 'json_object', 'json_schema']),
            name: z.string().optional(),
            schema: plainObject.optional(),
            strict: z.boolean().nullish(),
          })
          .nullish(),
      })
      .nullish(),
  }),
)

type Written = z.output<typeof requestSchema>

function itemsOf({ input, previous_response_id }: Written, { stored }: Desk): readonly JsonObject[] {
  const before = previous_response_id ?? null
  const earlier = before === null ? null : stored.response(before)
  if (before !== null && earlier === null)
    throw bad(`Previous response with id '${before}' not found.`, 'previous_response_id', 'previous_response_not_found')
  const added = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
  const resolved = added.map(item => {
    if (item.type !== 'item_reference') return item
    const id = String(item.id)
    const found = stored.item(id)
    if (found === null) throw notFound(id)
    return found
  })
  const items = [...(earlier === null ? [] : [...earlier.input, ...earlier.output]), ...resolved]
  for (const [index, item] of items.entries()) {
    if (isKnown(item)) continue
    throw bad(
      `Invalid value: '${item.type ?? item.role}'. Supported values are: ${listed(['message', ...itemKinds])}.`,
      `input[${index}]`,
      'invalid_value',
    )
  }
  return items
}

const itemKinds = [
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'reasoning',
  'compaction',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'computer_call',
  'computer_call_output',
  'tool_search_call',
  'tool_search_output',
  'item_reference',
]

const isKnown = ({ type, role }: JsonObject): boolean =>
  type === undefined || type === 'message'
    ? ['user', 'assistant', 'system', 'developer'].includes(String(role))
    : itemKinds.includes(String(type))

/** One message for each turn: reasoning, text and calls of one answer are separate items. */
function messagesOf(items: readonly JsonObject[]): readonly Message[] {
  const messages: Message[] = []
  const names = new Map<string, string>()
  let answer: { content: string; tool_calls: ToolCall[] } | null = null
  const flush = (): void => {
    if (answer === null) return
    const { content, tool_calls } = answer
    messages.push({ role: 'assistant', content, ...(tool_calls.length === 0 ? {} : { tool_calls }) })
    answer = null
  }
  for (const item of items) {
    if (isFromUser(item)) {
      flush()
      messages.push(fromUser(item, names))
      continue
    }
    answer ??= { content: '', tool_calls: [] }
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      const [id, name] = [String(item.call_id), String(item.name)]
      names.set(id, name)
      const given = item.type === 'function_call' ? argumentsOf(String(item.arguments)) : { input: item.input ?? '' }
      answer.tool_calls.push({ id, name, arguments: given })
    } else if (item.type === 'message' || item.type === undefined) answer.content += textIn(item.content)
  }
  flush()
  return messages
}

function fromUser(item: JsonObject, names: ReadonlyMap<string, string>): Message {
  if (typeof item.type === 'string' && item.type.endsWith('_output')) {
    const id = String(item.call_id)
    return { role: 'tool', tool_call_id: id, name: names.get(id) ?? '', content: textIn(item.output) }
  }
  const isSystem = item.role === 'system' || item.role === 'developer'
  return { role: isSystem ? 'system' : 'user', content: textIn(item.content) }
}

const textIn = (parts: Json | undefined): string => wordsOfParts(parts, '')

function schemaOf({ text, input, instructions }: Written): JsonObject | undefined {
  const format = text?.format
  if (format?.type === 'json_object') {
    if (!/json/i.test(JSON.stringify([input, instructions ?? ''])))
      throw bad(
        "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
        'input',
      )
    return { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }
  }
  if (format?.type !== 'json_schema') return undefined
  if (format.schema === undefined)
    throw bad("Missing required parameter: 'text.format.schema'.", 'text.format.schema', 'missing_required_parameter')
  if (format.strict === true)
    refuseLooseSchema(format.schema, { what: `response_format '${format.name}'`, param: 'text.format.schema' })
  return format.schema
}
