import { bad } from '../openai-reading.ts'
import type { ChatMessage } from './chat-message.ts'

/** Calls and results must belong together; OpenAI refuses a history in which they don't. */
export function checkChatHistory(messages: readonly ChatMessage[]): void {
  let open = new Set<string>()
  let called = new Set<string>()
  const refuseOpen = (index: number): void => {
    if (open.size === 0) return
    throw bad(
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
      `messages.[${index}].role`,
    )
  }
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const { tool_call_id } = message
      if (tool_call_id === undefined)
        throw bad(
          `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`,
          `messages.[${index}].tool_call_id`,
        )
      if (called.size === 0)
        throw bad(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${index}].role`,
        )
      if (!called.has(tool_call_id))
        throw bad(
          `Invalid parameter: 'tool_call_id' of '${tool_call_id}' not found in 'tool_calls' of previous message.`,
          `messages.[${index}].tool_call_id`,
        )
      open.delete(tool_call_id)
      continue
    }
    refuseOpen(index)
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    called = new Set(calls.map(({ id }) => id))
    open = new Set(called)
    const isEmpty = message.content === null || message.content === undefined
    if (isEmpty && calls.length === 0 && message.refusal === undefined)
      throw bad("Invalid value for 'content': expected a string, got null.", `messages.[${index}].content`)
  }
  refuseOpen(messages.length)
}
