import { isJsonObject, type JsonObject } from '../../../../util/json.ts'
import type { Message, ReasoningPart, ToolCall } from '../../../model-call.ts'
import { anthropicErrors } from '../../../sim/server/anthropic-errors.ts'
import type { Api, Unpriced } from '../api.ts'
import { unpricedTier } from '../openai-words.ts'
import { contentIn, numberIn, objectIn, objectsIn, textIn, toolOf } from '../reading.ts'
import { MessagesAssembly, messagesAnswer } from './messages-answer.ts'

/** Anthropic's Messages API, which claude speaks. */
export const messagesApi: Api = {
  title: 'the Messages API',
  endpoint: '/v1/messages',
  errors: anthropicErrors,
  speaks: ({ kind }) => kind === 'anthropic' || kind === 'sim',
  unpriced,
  isHosted: ({ type }) => typeof type === 'string' && hosted.test(type),
  call: body => ({
    messages: messagesIn(body),
    tools: toolsIn(body),
    temperature: numberIn(body.temperature) ?? undefined,
    top_p: numberIn(body.top_p) ?? undefined,
    stop: [body.stop_sequences ?? []].flat().filter(one => typeof one === 'string'),
  }),
  input: ({ system, messages, tools, output_config, output_format }) => [
    ...(typeof system === 'string' ? [system] : objectsIn(system)),
    ...objectsIn(messages),
    ...objectsIn(tools),
    ...[output_config, output_format].flatMap(one => one ?? []),
  ],
  limitOf(body) {
    const limit = numberIn(body.max_tokens)
    // Thoughts between calls of tools may have more than one answer has.
    return limit === null ? null : Math.max(limit, numberIn(objectIn(body.thinking).budget_tokens) ?? 0)
  },
  limitName: () => null,
  choices: () => 1,
  withUsage: body => body,
  isOnlyUsage: () => false,
  assemble: () => new MessagesAssembly(),
  answer: messagesAnswer,
}

/**
 * Tools that Anthropic executes itself; an advisor is another model at another price. Searching for a tool costs
 * nothing.
 */
const hosted = /^((web_search|web_fetch|code_execution|advisor)(_\d{8})?|mcp_toolset)$/

function unpriced(body: JsonObject): Unpriced | null {
  if (Array.isArray(body.mcp_servers) && body.mcp_servers.length > 0)
    return { param: 'mcp_servers', why: 'the provider would reach them over a network that the box may not have' }
  if (body.container != null) return { param: 'container', why: 'containers at the provider are billed by the hour' }
  if (body.speed != null && body.speed !== 'standard')
    return { param: 'speed', why: `"${body.speed}" is billed at another price than the list price` }
  if (body.inference_geo != null && body.inference_geo !== 'global')
    return { param: 'inference_geo', why: 'a region is billed at another price than the list price' }
  if (Array.isArray(body.fallbacks) && body.fallbacks.length > 0)
    return { param: 'fallbacks', why: 'another model would answer at another price' }
  const edits = objectsIn(objectIn(body.context_management).edits)
  if (edits.some(({ type }) => textIn(type).startsWith('compact')))
    return { param: 'context_management', why: 'the provider would summarise the conversation, at no limited length' }
  return unpricedTier(body)
}

function toolsIn({ tools }: JsonObject): ReturnType<Api['call']>['tools'] {
  const read = objectsIn(tools).map(tool => toolOf(tool.name ?? tool.type, tool.description, tool.input_schema))
  return read.length === 0 ? undefined : read
}

/** Results of tools become separate messages, before the user's words. */
function messagesIn({ system, messages }: JsonObject): readonly Message[] {
  const names = new Map<string, string>()
  const told = contentIn(system)
  const first: Message[] = told.length === 0 ? [] : [{ role: 'system', content: wordsOf(told) }]
  return [
    ...first,
    ...objectsIn(messages).flatMap(({ role, content }): readonly Message[] => {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content)
      if (role === 'assistant') return [assistant(blocks, names)]
      // Later models may get system messages in the middle of a conversation.
      return role === 'system' ? [{ role, content: wordsOf(contentIn(blocks)) }] : fromUser(blocks, names)
    }),
  ]
}

function assistant(blocks: readonly JsonObject[], names: Map<string, string>): Message {
  const tool_calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }): ToolCall => {
      names.set(textIn(id), textIn(name))
      return { id: textIn(id), name: textIn(name), arguments: isJsonObject(input) ? input : {} }
    })
  const reasoning = blocks
    .filter(({ type }) => type === 'thinking')
    .map(({ thinking }): ReasoningPart => ({ text: textIn(thinking) }))
  const said = blocks.filter(({ type }) => !['tool_use', 'thinking', 'redacted_thinking'].includes(textIn(type)))
  return {
    role: 'assistant',
    content: wordsOf(contentIn(said)),
    ...(tool_calls.length > 0 && { tool_calls }),
    ...(reasoning.length > 0 && { reasoning }),
  }
}

function fromUser(blocks: readonly JsonObject[], names: ReadonlyMap<string, string>): readonly Message[] {
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block): Message => {
      const id = textIn(block.tool_use_id)
      return {
        role: 'tool',
        tool_call_id: id,
        name: names.get(id) ?? '',
        content: contentIn(block.content),
        ...(block.is_error === true && { is_error: true }),
      }
    })
  const said = blocks.filter(({ type }) => type !== 'tool_result')
  return said.length === 0 ? results : [...results, { role: 'user', content: contentIn(said) }]
}

const wordsOf = (content: ReturnType<typeof contentIn>): string =>
  typeof content === 'string' ? content : JSON.stringify(content)
