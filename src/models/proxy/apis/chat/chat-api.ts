import { isJsonObject, type JsonObject } from '../../../../util/json.ts'
import type { Message, ToolCall } from '../../../model-call.ts'
import type { Route } from '../../../route.ts'
import { openaiErrors } from '../../../sim/server/openai-errors.ts'
import type { Api, Unpriced } from '../api.ts'
import { argumentsIn, unpricedTier } from '../openai-words.ts'
import { contentIn, numberIn, objectIn, objectsIn, textIn, toolOf } from '../reading.ts'
import { ChatAssembly, chatAnswer } from './chat-answer.ts'

/** OpenAI's chat completions, which most providers and servers speak. */
export const chatApi: Api = {
  title: 'chat completions',
  endpoint: '/v1/chat/completions',
  errors: openaiErrors,
  speaks: ({ kind }) => ['openai', 'openai-compatible', 'openrouter', 'sim'].includes(kind),
  unpriced,
  isHosted: ({ type }) => type !== undefined && type !== 'function' && type !== 'custom',
  call: body => ({
    messages: messagesIn(body),
    tools: toolsIn(body),
    temperature: numberIn(body.temperature) ?? undefined,
    top_p: numberIn(body.top_p) ?? undefined,
    seed: numberIn(body.seed) ?? undefined,
    stop: [body.stop ?? []].flat().filter(one => typeof one === 'string'),
  }),
  input: ({ messages, tools, functions, response_format, prediction }) => [
    ...objectsIn(messages),
    ...objectsIn(tools),
    ...[functions, response_format, prediction].flatMap(one => one ?? []),
  ],
  limitOf: body => numberIn(body.max_completion_tokens) ?? numberIn(body.max_tokens),
  limitName: ({ kind, provider }: Route) =>
    kind === 'openai' || provider === 'x-ai' ? 'max_completion_tokens' : 'max_tokens',
  choices: ({ n }) => Math.max(1, numberIn(n) ?? 1),
  withUsage(body, { kind }) {
    // OpenRouter only reports the cost of a call on request.
    const withUsage = kind === 'openrouter' && body.usage === undefined ? { ...body, usage: { include: true } } : body
    if (body.stream !== true || objectIn(body.stream_options).include_usage === true) return withUsage
    return { ...withUsage, stream_options: { ...objectIn(body.stream_options), include_usage: true } }
  },
  isOnlyUsage: ({ choices, usage }) => Array.isArray(choices) && choices.length === 0 && isJsonObject(usage),
  assemble: () => new ChatAssembly(),
  answer: chatAnswer,
}

function unpriced(body: JsonObject): Unpriced | null {
  const spoken = 'sound has separate prices'
  if (body.audio != null || (Array.isArray(body.modalities) && body.modalities.includes('audio')))
    return { param: 'audio', why: spoken }
  const parts = objectsIn(body.messages).flatMap(({ content }) => objectsIn(content))
  if (parts.some(({ type }) => type === 'input_audio')) return { param: 'input_audio', why: spoken }
  if (body.web_search_options != null)
    return { param: 'web_search_options', why: 'searches are billed separately from tokens, and use the network' }
  return unpricedTier(body)
}

function messagesIn({ messages }: JsonObject): readonly Message[] {
  const names = new Map<string, string>()
  return objectsIn(messages).map((message): Message => {
    const content = contentIn(message.content)
    const words = typeof content === 'string' ? content : JSON.stringify(content)
    switch (message.role) {
      case 'system':
      case 'developer':
        return { role: 'system', content: words }
      case 'assistant': {
        const tool_calls = objectsIn(message.tool_calls).map(toolCall)
        for (const { id, name } of tool_calls) names.set(id, name)
        const thought = textIn(message.reasoning_content) || textIn(message.reasoning)
        return {
          role: 'assistant',
          content: words,
          ...(tool_calls.length > 0 && { tool_calls }),
          ...(thought !== '' && { reasoning: [{ text: thought }] }),
        }
      }
      case 'tool': {
        const id = textIn(message.tool_call_id)
        return { role: 'tool', tool_call_id: id, name: names.get(id) ?? '', content }
      }
      default:
        return { role: 'user', content }
    }
  })
}

function toolCall(call: JsonObject): ToolCall {
  const named = isJsonObject(call.function) ? call.function : objectIn(call.custom)
  const given = isJsonObject(call.function)
    ? argumentsIn(textIn(named.arguments))
    : { input: textIn(objectIn(call.custom).input) }
  return { id: textIn(call.id), name: textIn(named.name), arguments: given }
}

function toolsIn({ tools }: JsonObject): ReturnType<Api['call']>['tools'] {
  const read = objectsIn(tools).map(tool => {
    const named = isJsonObject(tool.function) ? tool.function : objectIn(tool.custom)
    return toolOf(named.name, named.description, named.parameters)
  })
  return read.length === 0 ? undefined : read
}
