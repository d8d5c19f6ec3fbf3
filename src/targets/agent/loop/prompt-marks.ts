import type { Message } from '../../../models/model-call.ts'

/**
 * Marks where a provider's cache should end: after the system prompt, and after the last two messages that are not the
 * model's own, so that the next prompt finds the one before it.
 */
export function withCacheMarks(messages: readonly Message[]): readonly Message[] {
  const others = messages.flatMap(({ role }, at) => (role === 'user' || role === 'tool' ? [at] : []))
  const marked = new Set([...others.slice(-2), ...(messages[0]?.role === 'system' ? [0] : [])])
  return messages.map((message, at) => (marked.has(at) ? { ...message, cache: '5m' as const } : message))
}
