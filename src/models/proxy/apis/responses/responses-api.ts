import type { JsonObject } from '../../../../util/json.ts'
import type { Message, ReasoningPart, Tool, ToolCall } from '../../../model-call.ts'
import { responsesErrors } from '../../../sim/server/openai-errors.ts'
import type { Api, Unpriced } from '../api.ts'
import { argumentsIn, unpricedTier } from '../openai-words.ts'
import { contentIn, listIn, numberIn, objectIn, objectsIn, textIn, toolOf } from '../reading.ts'
import { ResponsesAssembly, responsesAnswer, summaryOf } from './responses-answer.ts'

/** OpenAI's Responses API, which codex speaks. */
export const responsesApi: Api = {
  title: 'the Responses API',
  endpoint: '/v1/responses',
  errors: responsesErrors,
  speaks: ({ kind, setting }) =>
    kind === 'openai' ||
    kind === 'sim' ||
    (setting.api === 'responses' && (kind === 'openai-compatible' || kind === 'openrouter')),
  unpriced,
  isHosted: ({ type }) => typeof type === 'string' && hosted.test(type),
  call: body => ({
    messages: messagesIn(body),
    tools: toolsIn(objectsIn(body.tools)),
    temperature: numberIn(body.temperature) ?? undefined,
    top_p: numberIn(body.top_p) ?? undefined,
  }),
  input: ({ instructions, input, tools, text }) => [
    ...(typeof input === 'string' ? [input] : listIn(input)),
    ...objectsIn(tools),
    ...[instructions, text].flatMap(one => one ?? []),
  ],
  limitOf: body => numberIn(body.max_output_tokens),
  limitName: () => 'max_output_tokens',
  choices: () => 1,
  withUsage: body => body,
  isOnlyUsage: () => false,
  assemble: () => new ResponsesAssembly(),
  answer: responsesAnswer,
}

/**
 * Tools that OpenAI executes itself. Tools that the agent executes (`local_shell`, `apply_patch`, `computer…`) are the
 * agent's own.
 */
const hosted = /^(web_search(_preview)?(_\d.*)?|file_search|code_interpreter|image_generation|mcp|shell)$/

function unpriced(body: JsonObject): Unpriced | null {
  const elsewhere = 'its input is at the provider, so the size of the request is unknown'
  for (const param of ['previous_response_id', 'conversation', 'prompt'])
    if (body[param] != null) return { param, why: `${elsewhere}; send the whole conversation` }
  if (body.background === true) return { param: 'background', why: 'its answer would come by another way' }
  const items = objectsIn(body.input)
  if (items.some(({ type }) => type === 'item_reference'))
    return { param: 'item_reference', why: `${elsewhere}; send the items themselves, with store: false` }
  const parts = items.flatMap(({ content }) => objectsIn(content))
  if (parts.some(({ type }) => type === 'input_audio'))
    return { param: 'input_audio', why: 'sound has separate prices' }
  return unpricedTier(body)
}

/** Tools are on their own, or in namespaces. */
function toolsIn(tools: readonly JsonObject[]): readonly Tool[] | undefined {
  const flat = (tool: JsonObject): readonly Tool[] =>
    tool.type === 'namespace'
      ? objectsIn(tool.tools).flatMap(flat)
      : [toolOf(tool.name ?? tool.type, tool.description, tool.parameters)]
  return tools.length === 0 ? undefined : tools.flatMap(flat)
}

interface Turn {
  content: string
  readonly tool_calls: ToolCall[]
  readonly reasoning: ReasoningPart[]
}

/** One message for each turn: reasoning, text and calls of one answer are separate items. */
function messagesIn({ instructions, input }: JsonObject): readonly Message[] {
  const messages: Message[] = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }]
  const names = new Map<string, string>()
  let turn: Turn | null = null
  const flush = (): void => {
    if (turn !== null) messages.push(assistant(turn))
    turn = null
  }
  for (const item of objectsIn(input)) {
    const other = fromOthers(item, names)
    if (other !== null) {
      flush()
      messages.push(other)
      continue
    }
    turn ??= { content: '', tool_calls: [], reasoning: [] }
    addTo(turn, item, names)
  }
  flush()
  return messages
}

const assistant = ({ content, tool_calls, reasoning }: Turn): Message => ({
  role: 'assistant',
  content,
  ...(tool_calls.length > 0 && { tool_calls }),
  ...(reasoning.length > 0 && { reasoning }),
})

/** A message from the user, the developer or a tool; null: it is the model's. */
function fromOthers(item: JsonObject, names: ReadonlyMap<string, string>): Message | null {
  const { type = 'message', role } = item
  if (type === 'message') {
    if (role === 'assistant') return null
    const content = contentIn(item.content)
    const isSystem = role === 'system' || role === 'developer'
    if (!isSystem) return { role: 'user', content }
    return { role: 'system', content: typeof content === 'string' ? content : JSON.stringify(content) }
  }
  if (typeof type !== 'string' || !type.endsWith('_output')) return null
  const id = textIn(item.call_id)
  const output = typeof item.output === 'string' || Array.isArray(item.output) ? item.output : [objectIn(item.output)]
  return { role: 'tool', tool_call_id: id, name: names.get(id) ?? '', content: contentIn(output) }
}

function addTo(turn: Turn, item: JsonObject, names: Map<string, string>): void {
  switch (item.type ?? 'message') {
    case 'message': {
      const content = contentIn(item.content)
      turn.content += typeof content === 'string' ? content : JSON.stringify(content)
      return
    }
    case 'reasoning':
      turn.reasoning.push({ text: summaryOf(item) })
      return
    case 'function_call':
    case 'custom_tool_call': {
      const [id, name] = [textIn(item.call_id), textIn(item.name)]
      names.set(id, name)
      const given = item.type === 'function_call' ? argumentsIn(textIn(item.arguments)) : { input: textIn(item.input) }
      turn.tool_calls.push({ id, name, arguments: given })
      return
    }
    default: {
      const { type, id, call_id, ...given } = item
      const called = textIn(call_id) || textIn(id)
      names.set(called, textIn(type))
      turn.tool_calls.push({ id: called, name: textIn(type), arguments: given })
    }
  }
}
