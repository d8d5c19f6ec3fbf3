import type { Message, Tool } from '../model-call.ts'

/** Simulated models count four characters as a token: quick, and the same everywhere. */
export const simTokensOf = (text: string): number => Math.ceil(text.length / 4)

/** What a simulated model counts as input, if no size was declared. */
export function simInputTokens(call: {
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
  readonly schema?: unknown
}): number {
  const messages = call.messages.reduce((sum, message) => sum + 4 + simTokensOf(textOf(message)), 0)
  const tools = (call.tools ?? []).reduce((sum, tool) => sum + simTokensOf(JSON.stringify(tool)), 0)
  return messages + tools + (call.schema === undefined ? 0 : simTokensOf(JSON.stringify(call.schema)))
}

/** A message as one text: what was said, and which tools were called with what. */
export function textOf(message: Message): string {
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message.content
  return [message.content, ...message.tool_calls.map(call => `${call.name} ${JSON.stringify(call.arguments)}`)].join(
    ' ',
  )
}
