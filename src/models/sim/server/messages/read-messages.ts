import { isJsonObject, type Json, type JsonObject } from '../../../../util/json.ts'
import type { Message, ToolCall } from '../../../model-call.ts'
import { perMessage } from '../../../prices/count-tokens.ts'
import { type CacheTtl, charactersPerToken, type PromptBlock } from '../../../prices/prefix-cache.ts'
import { type Desk, type SimRequest, wordsOfParts } from '../wire.ts'
import { bad } from './anthropic-reading.ts'
import { checkMessageHistory } from './message-history.ts'
import { messageToolChoice, messageTools } from './message-tools.ts'
import { type Block, readMessagesBody, type WrittenMessage } from './read-messages-body.ts'

export interface MessagesRequest extends SimRequest {
  /** Whether thoughts are shown, or only their signature. */
  readonly shows_thoughts: boolean
}

/** A request of Anthropic's Messages API; what Anthropic refuses is refused in the same words. */
export function readMessages(body: JsonObject, desk: Desk, isCounting = false): MessagesRequest {
  if (desk.headers.get('anthropic-version') === null) throw bad('anthropic-version: header is required')
  const written = readMessagesBody(body)
  const { model, messages, system, thinking, stop_sequences } = written
  const { max_output } = desk.settingOf(model)
  const longest = written.max_tokens ?? (isCounting ? 1 : null)
  if (longest === null) throw bad('max_tokens: Field required')
  if (max_output !== undefined && longest > max_output)
    throw bad(
      `max_tokens: ${longest} > ${max_output}, which is the maximum allowed number of output tokens for ${model}`,
    )
  const thinks = thinking?.type === 'enabled' || thinking?.type === 'adaptive'
  if (thinking?.type === 'enabled') checkBudget(thinking.budget_tokens, isCounting ? null : longest)
  if (thinks && written.temperature !== undefined && written.temperature !== null && written.temperature !== 1)
    throw bad('`temperature` may only be set to 1 when thinking is enabled.')
  if (stop_sequences?.some(one => one.trim() === ''))
    throw bad('stop_sequences: each stop sequence must contain non-whitespace')
  const offered = written.tools ?? []
  const tools = messageTools(offered)
  const tool_choice = messageToolChoice(written.tool_choice, tools, { offered: offered.length, thinks })
  checkMessageHistory(messages, { hasTools: offered.length > 0, thinks: thinking?.type === 'enabled' })
  const spoken = [...systemMessages(system), ...messagesOf(messages)]
  return {
    model,
    messages: spoken,
    tools,
    tool_choice,
    parallel_tool_calls: written.tool_choice?.disable_parallel_tool_use === true ? false : undefined,
    schema: schemaOf(written.output_config?.format ?? written.output_format),
    stop: stop_sequences ?? [],
    max_output_tokens: longest,
    thinks,
    shows_thoughts: thinking?.display !== 'omitted',
    seed: undefined,
    stream: written.stream ?? false,
    choices: 1,
    prompt: promptOf([...offered.map(closed), ...opened(system), ...messages.flatMap(blocksOf)], written.cache_control),
  }
}

function checkBudget(budget: number | undefined, longest: number | null): void {
  if (budget === undefined) throw bad('thinking.enabled.budget_tokens: Field required')
  if (budget < 1024) throw bad('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  if (longest !== null && longest <= budget) throw bad('`max_tokens` must be greater than `thinking.budget_tokens`.')
}

function schemaOf(format: JsonObject | null | undefined): JsonObject | undefined {
  if (format === null || format === undefined) return undefined
  const { type, schema } = format
  if (type !== 'json_schema') throw bad("output_config.format.type: Input should be 'json_schema'")
  if (!isJsonObject(schema)) throw bad('output_config.format.schema: Input should be a valid dictionary')
  return schema
}

const systemMessages = (system: readonly Block[]): readonly Message[] =>
  system.length === 0 ? [] : [{ role: 'system', content: system.map(({ text }) => text ?? '').join('\n') }]

/** Results of tools become separate messages, before the user's words. */
function messagesOf(written: readonly WrittenMessage[]): readonly Message[] {
  const names = new Map<string, string>()
  return written.flatMap(({ role, blocks }): readonly Message[] => {
    const said = blocks.filter(({ type }) => type !== 'tool_use' && type !== 'tool_result')
    const content = textIn(said.filter(block => !isThought(block)))
    if (role === 'assistant') {
      const tool_calls = blocks
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }): ToolCall => {
          names.set(String(id), String(name))
          return { id: String(id), name: String(name), arguments: isJsonObject(input) ? input : {} }
        })
      return [{ role, content, ...(tool_calls.length === 0 ? {} : { tool_calls }) }]
    }
    const results = blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block): Message => {
        const id = String(block.tool_use_id)
        const is_error = block.is_error === true ? { is_error: true } : {}
        return {
          role: 'tool',
          tool_call_id: id,
          name: names.get(id) ?? '',
          content: textIn(block.content),
          ...is_error,
        }
      })
    return said.length === 0 ? results : [...results, { role, content }]
  })
}

const isThought = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking'

const textIn = (parts: Json | undefined): string => wordsOfParts(parts, '\n')

/** A block or tool of a prompt. */
interface PromptPiece {
  readonly part: JsonObject
  /** Whether a message begins with it: the message's overhead counts here. */
  readonly opens: boolean
}

const closed = (part: JsonObject): PromptPiece => ({ part, opens: false })
const opened = (parts: readonly JsonObject[]): readonly PromptPiece[] =>
  parts.map((part, at) => ({ part, opens: at === 0 }))

/** Each result of a tool counts as a separate message, as in {@link messagesOf}. */
function blocksOf({ role, blocks }: WrittenMessage): readonly PromptPiece[] {
  if (role === 'assistant') return opened(blocks)
  const first = blocks.findIndex(({ type }) => type !== 'tool_result')
  return blocks.map((part, at) => ({ part, opens: at === first || part.type === 'tool_result' }))
}

/**
 * The prompt in the order in which Anthropic caches it, with its marks; the position of a mark does not change the
 * prompt.
 */
function promptOf(parts: readonly PromptPiece[], automatic: JsonObject | null | undefined): readonly PromptBlock[] {
  const blocks = parts.map(
    ({ opens, part: { cache_control, ...rest } }): PromptBlock => ({
      text: JSON.stringify(rest),
      size: sizeOf(rest) + (opens ? perMessage * charactersPerToken : 0),
      keep: ttlOf(cache_control),
    }),
  )
  const last = blocks.at(-1)
  if (automatic !== null && automatic !== undefined && last !== undefined)
    blocks[blocks.length - 1] = { ...last, keep: last.keep ?? ttlOf(automatic) }
  const marks = blocks.flatMap(({ keep }) => keep ?? [])
  if (marks.length > 4) throw bad(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`)
  if (marks.lastIndexOf('1h') > marks.indexOf('5m') && marks.includes('5m'))
    throw bad(
      "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    )
  return blocks
}

/** Characters of a block or tool that count as input. */
function sizeOf(part: JsonObject): number {
  switch (part.type) {
    case 'thinking':
    case 'redacted_thinking':
      return 0
    case 'tool_result':
      return textIn(part.content).length
    case 'tool_use':
      return `${part.name} ${JSON.stringify(part.input ?? {})}`.length
    case undefined:
    case 'custom':
      return JSON.stringify({ name: part.name, description: part.description ?? '', parameters: part.input_schema })
        .length
    default:
      return typeof part.text === 'string' ? part.text.length : 0
  }
}

function ttlOf(mark: JsonObject[string] | undefined): CacheTtl | undefined {
  if (mark === undefined || mark === null) return undefined
  if (!isJsonObject(mark)) throw bad('cache_control: Input should be a valid dictionary')
  const { type, ttl = '5m' } = mark
  if (type !== 'ephemeral') throw bad("cache_control.type: Input should be 'ephemeral'")
  if (ttl !== '5m' && ttl !== '1h') throw bad("cache_control.ephemeral.ttl: Input should be '5m' or '1h'")
  return ttl
}
