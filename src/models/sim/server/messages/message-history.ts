import { bad } from './anthropic-reading.ts'
import type { Block, WrittenMessage } from './read-messages-body.ts'
import { isSigned } from './thinking.ts'

/** Calls, results and thoughts must belong together; Anthropic refuses a history in which they don't. */
export function checkMessageHistory(messages: readonly WrittenMessage[], rules: HistoryRules): void {
  const [first] = messages
  if (first === undefined) throw bad('messages: at least one message is required')
  if (first.role !== 'user') throw bad('messages: first message must use the "user" role')
  for (const [index, { role, blocks }] of messages.entries()) {
    checkContent(messages, index)
    for (const [at, block] of blocks.entries())
      if (role === 'assistant') checkThought(block, `messages.${index}.content.${at}`)
  }
  checkCalls(messages, rules)
  if (rules.thinks) checkThoughtsAreThere(messages)
}

interface HistoryRules {
  readonly hasTools: boolean
  readonly thinks: boolean
}

function checkContent(messages: readonly WrittenMessage[], index: number): void {
  const message = messages[index]
  if (message === undefined) return
  const isLastAnswer = index === messages.length - 1 && message.role === 'assistant'
  if (message.blocks.length === 0 && !isLastAnswer)
    throw bad(
      `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
    )
  if (message.blocks.some(block => block.type === 'text' && block.text === ''))
    throw bad('messages: text content blocks must be non-empty')
  const last = message.blocks.at(-1)
  if (isLastAnswer && last?.type === 'text' && /\s$/.test(String(last.text)))
    throw bad('messages: final assistant content cannot end with trailing whitespace')
}

function checkThought(block: Block, place: string): void {
  if (block.type === 'redacted_thinking') throw bad(`${place}: Invalid \`data\` in \`redacted_thinking\` block`)
  if (block.type !== 'thinking') return
  if (typeof block.signature !== 'string') throw bad(`${place}.thinking.signature: Field required`)
  if (!isSigned(String(block.thinking), block.signature))
    throw bad(`${place}: Invalid \`signature\` in \`thinking\` block`)
}

function checkCalls(messages: readonly WrittenMessage[], { hasTools }: HistoryRules): void {
  const seen = new Set<unknown>()
  for (const [index, { role, blocks }] of messages.entries()) {
    const uses = role === 'assistant' ? blocks.filter(({ type }) => type === 'tool_use') : []
    const results = blocks.filter(({ type }) => type === 'tool_result')
    if (!hasTools && uses.length + results.length > 0)
      throw bad('Requests which include `tool_use` or `tool_result` blocks must define tools')
    for (const { id } of uses) {
      if (seen.has(id)) throw bad('messages: `tool_use` ids must be unique')
      seen.add(id)
    }
    // Results come first in the next message: anything before them separates them from their calls.
    const next = messages[index + 1]
    const after = leadingResults(next?.role === 'user' ? next.blocks : []).map(({ tool_use_id }) => tool_use_id)
    const open = uses.filter(({ id }) => !after.includes(id))
    if (open.length > 0)
      throw bad(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.map(({ id }) => id).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
    checkResults(messages, index)
  }
}

function checkResults(messages: readonly WrittenMessage[], index: number): void {
  const before = messages[index - 1]
  const called = new Set(before?.role === 'assistant' ? before.blocks.map(({ id }) => id) : [])
  const answered = new Set<unknown>()
  for (const [at, block] of (messages[index]?.blocks ?? []).entries()) {
    if (block.type !== 'tool_result') continue
    const { tool_use_id } = block
    if (!called.has(tool_use_id))
      throw bad(
        `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    if (answered.has(tool_use_id))
      throw bad(
        `messages.${index}.content.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${tool_use_id}`,
      )
    answered.add(tool_use_id)
  }
}

function leadingResults(blocks: readonly Block[]): readonly Block[] {
  const end = blocks.findIndex(({ type }) => type !== 'tool_result')
  return end === -1 ? blocks : blocks.slice(0, end)
}

/** While tools are being called, the thoughts that led to the calls must come back with them. */
function checkThoughtsAreThere(messages: readonly WrittenMessage[]): void {
  const index = messages.findLastIndex(({ role }) => role === 'assistant')
  const blocks = messages[index]?.blocks ?? []
  if (!blocks.some(({ type }) => type === 'tool_use')) return
  const [first] = blocks
  if (first === undefined || first.type === 'thinking' || first.type === 'redacted_thinking') return
  throw bad(
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
  )
}
