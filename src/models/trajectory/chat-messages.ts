import { isJsonObject, type JsonObject } from '../../util/json.ts'
import { type Content, type ContentPart, type Message, type ToolCall, wordsIn } from '../model-call.ts'
import type { ChatMessage, SweToolCall } from './swe-agent-schema.ts'

/**
 * Messages of another program's chat, one to one, so that positions in the list stay the same. A result without an
 * earlier call becomes a user's message, and so does one with an unknown role.
 */
export function messagesOfChat(chat: readonly ChatMessage[]): readonly Message[] {
  const names = new Map<string, string>()
  return chat.map(message => {
    const content = contentOf(message.content)
    for (const call of message.tool_calls ?? []) if (call.id != null) names.set(call.id, call.function.name)
    switch (message.role) {
      case 'system':
        return { role: 'system', content: wordsIn(content) }
      case 'assistant': {
        const calls = (message.tool_calls ?? []).map(callOf)
        return { role: 'assistant', content: wordsIn(content), ...(calls.length > 0 && { tool_calls: calls }) }
      }
      case 'tool': {
        const id = message.tool_call_id ?? message.tool_call_ids?.[0]
        const name = id === undefined ? undefined : names.get(id)
        if (id === undefined || name === undefined) return { role: 'user', content }
        return { role: 'tool', tool_call_id: id, name, content }
      }
      default:
        return { role: 'user', content }
    }
  })
}

const callOf = (call: SweToolCall, at: number): ToolCall => ({
  id: call.id ?? `call-${at + 1}`,
  name: call.function.name,
  arguments: argumentsOf(call.function.arguments),
})

/** The model's text may not be JSON: then it is kept under a name that no tool has. */
function argumentsOf(written: unknown): JsonObject {
  if (isJsonObject(written)) return written
  try {
    const parsed: unknown = JSON.parse(String(written))
    return isJsonObject(parsed) ? parsed : { unparsed_arguments: String(written) }
  } catch {
    return { unparsed_arguments: String(written) }
  }
}

export function contentOf(content: ChatMessage['content']): Content {
  if (content == null) return ''
  if (typeof content === 'string') return content
  const parts = content.map((part): ContentPart => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const url = typeof part.image_url === 'string' ? part.image_url : part.image_url.url
    const [, media_type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
    if (media_type !== undefined && data !== undefined) return { type: 'image', media_type, data }
    return { type: 'image', media_type: 'image/*', url }
  })
  const [only, ...others] = parts
  return only?.type === 'text' && others.length === 0 ? only.text : parts
}
