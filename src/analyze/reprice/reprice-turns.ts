import type { Message, Usage } from '../../models/model-call.ts'
import type { PromptPart, Summary, Trajectory, Turn } from '../../models/trajectory/trajectory.ts'
import type { History, Strategy, SummaryRequest, TurnPlace } from '../../targets/agent/strategies/choose-strategy.ts'
import { type CacheRule, cachedParts } from './cache-rule.ts'
import { PromptSizes, type SizeOf } from './prompt-sizes.ts'

/** How recorded work is repriced. */
export interface Repricing {
  readonly strategy: Strategy
  readonly sizeOf: SizeOf
  /** Tokens that each prompt has besides its messages, such as tool descriptions. */
  readonly overhead: number
  readonly cache: CacheRule
  /** null: unknown. */
  cost(usage: Usage): number | null
  /** Of calls that write summaries. */
  summaryCost(usage: Usage): number | null
  /** The assumed length of a summary's text. */
  readonly summaryTokens: number
  /** Whether a recorded summary of the same turns is used unchanged. */
  readonly usesRecordedSummaries: boolean
  /** The most tokens of prompt and answer together; null: unknown. */
  readonly context: number | null
}

export interface RepricedTurn {
  readonly usage: Usage
  /** For the turn, without summaries. null: unknown. */
  readonly cost_usd: number | null
  /** Of summaries that were written before it. */
  readonly summary_cost_usd: number | null
  readonly summaries: number
}

export interface Repriced {
  /** Up to the turn whose prompt is too long, if there is one. */
  readonly turns: readonly RepricedTurn[]
  /** The turn, from 1, whose prompt did not fit: the agent would have ended there. */
  readonly overflows_at: number | null
}

/**
 * The cost of the same answers and outputs under another strategy: the prompts that it would have shown, turn by turn,
 * and their price. A recording can't tell whether the agent would have acted differently on other prompts.
 */
export function repriceTurns(trajectory: Trajectory, repricing: Repricing): Repriced {
  const done: RepricedTurn[] = []
  let before: Conversation | null = null
  const conversations = conversationsIn(trajectory)
  // Summaries name turns of the whole work: with several conversations they match none of them.
  const recorded = repricing.usesRecordedSummaries && conversations.length === 1 ? trajectory.summaries : []
  for (const conversation of conversations) {
    const { turns, isTooLong } = repriceConversation(
      conversation,
      { alike: alikeTokens(before, conversation, repricing), recorded },
      repricing,
    )
    done.push(...turns)
    if (isTooLong) return { turns: done, overflows_at: done.length + 1 }
    before = conversation
  }
  return { turns: done, overflows_at: null }
}

/** `alike`: tokens that its first prompt shares with an earlier one. */
function repriceConversation(
  { messages, opening, turns }: Conversation,
  { alike, recorded }: { readonly alike: number; readonly recorded: readonly Summary[] },
  repricing: Repricing,
): { readonly turns: readonly RepricedTurn[]; readonly isTooLong: boolean } {
  const { strategy, sizeOf, overhead, cache, context } = repricing
  const sizes = new PromptSizes(messages, sizeOf)
  const summaries = new ModelledSummaries(repricing, recorded)
  const places: TurnPlace[] = []
  const done: RepricedTurn[] = []
  let state = strategy.start()
  let prompt: readonly PromptPart[] = []
  let sent: readonly PromptPart[] = []
  for (const [at, turn] of turns.entries()) {
    if (turn.kind === 'autosubmit') continue
    const written: SummaryBill[] = []
    const unused = unusedBefore(turns, at)
    if (unused.length === 0)
      for (;;) {
        const seen: History = { messages, opening, turns: places, summaries: summaries.written }
        const next = strategy.next(seen, state)
        state = next.state
        if (next.prompt !== undefined) {
          prompt = next.prompt
          break
        }
        written.push(summaries.write(next.summarise))
      }
    // A message between two turns, such as one from the user, belongs to the turn before it.
    if (turn.kind === 'turn') places.push({ from: turn.from, to: turns[at + 1]?.from ?? turn.to })
    // A repeated question includes the unusable answer.
    const asked = [...prompt, ...unused]
    const input = overhead + sizes.of(asked, summaries.sizes)
    const output = outputOf(turn, messages, sizeOf)
    if (context !== null && input >= context) return { turns: done, isTooLong: true }
    const common = sent.length === 0 ? alike : overhead + sizes.common(sent, asked, summaries.sizes)
    sent = asked
    const usage = { input_tokens: input, ...cachedParts(cache, input, common), ...output }
    done.push({
      usage,
      cost_usd: repricing.cost(usage),
      summary_cost_usd: sumOrNull(written.map(({ cost_usd }) => cost_usd)),
      summaries: written.length,
    })
  }
  return { turns: done, isTooLong: false }
}

/** The same system prompt, and the same tools, are in the provider's cache from the previous conversation. */
function alikeTokens(before: Conversation | null, { messages, opening }: Conversation, repricing: Repricing): number {
  if (before === null) return 0
  const differs = messages.slice(0, opening).findIndex((one, at) => !isSame(one, before.messages[at]))
  const alike = messages.slice(0, differs < 0 ? opening : differs)
  return repricing.overhead + alike.reduce((sum, message) => sum + repricing.sizeOf(message), 0)
}

const isSame = (one: Message, other: Message | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The unusable answers right before a turn, and the replies to them. */
function unusedBefore(turns: readonly Turn[], at: number): readonly PromptPart[] {
  let first = at
  while (first > 0 && turns[first - 1]?.kind === 'again') first--
  const [from, to] = [turns[first]?.from ?? 0, turns[at]?.from ?? 0]
  return from < to ? [{ from, to }] : []
}

/** As the provider counted; otherwise the length of the text. */
function outputOf(
  { usage, from, to }: Turn,
  messages: readonly Message[],
  sizeOf: SizeOf,
): Pick<Usage, 'output_tokens' | 'reasoning_tokens'> {
  if (usage !== null) return { output_tokens: usage.output_tokens, reasoning_tokens: usage.reasoning_tokens }
  const said = messages.slice(from, to).filter(({ role }) => role === 'assistant')
  return { output_tokens: said.reduce((sum, message) => sum + sizeOf(message), 0), reasoning_tokens: 0 }
}

interface SummaryBill {
  readonly cost_usd: number | null
}

/** For turns without a recorded summary, the summary's text is unknown; only its length is assumed. */
class ModelledSummaries {
  readonly #repricing: Repricing
  readonly #recorded: readonly Summary[]
  readonly written: { readonly text: string; readonly from: number; readonly to: number }[] = []
  readonly sizes: number[] = []
  /** Tokens of the last one that are not in its text. */
  #unwritten = 0

  constructor(repricing: Repricing, recorded: readonly Summary[]) {
    this.#repricing = repricing
    this.#recorded = recorded
  }

  write({ from, since = from, to, ask, textOf }: SummaryRequest): SummaryBill {
    const { sizeOf, summaryTokens, summaryCost } = this.#repricing
    const frame = textOf(ask === null ? null : '')
    const found = ask === null ? undefined : this.#recordedLike(frame, since, to)
    const text = found?.text ?? frame
    const asked = ask === null ? 0 : ask.reduce((sum, message) => sum + sizeOf(message), 0)
    // A summary is written from the previous one, whose words may be unknown too.
    const before = ask === null ? 0 : this.#unwritten
    this.#unwritten = ask === null || found !== undefined ? 0 : summaryTokens
    this.written.push({ text, from, to })
    this.sizes.push(sizeOf({ role: 'assistant', content: text }) + this.#unwritten)
    if (ask === null) return { cost_usd: 0 }
    const usage = {
      input_tokens: asked + before,
      cached_input_tokens: 0,
      cache_write_tokens: 0,
      output_tokens: found?.call?.usage?.output_tokens ?? summaryTokens,
      reasoning_tokens: 0,
    }
    return { cost_usd: summaryCost(usage) }
  }

  /** Of the same turns, with the same frame. */
  #recordedLike(frame: string, from: number, to: number): Summary | undefined {
    const [head] = frame.split('\n')
    return this.#recorded.find(
      one => one.call !== null && one.from === from && one.to === to && one.text.split('\n')[0] === head,
    )
  }
}

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

/** A part of the work in which prompts grow; the positions of its turns are counted from its own first message. */
interface Conversation {
  readonly messages: readonly Message[]
  /** How many messages come before its first turn. */
  readonly opening: number
  readonly turns: readonly Turn[]
}

/**
 * A system prompt between two turns starts a new conversation: the agent has forgotten the earlier steps of the task.
 */
function conversationsIn({ history, turns }: Trajectory): readonly Conversation[] {
  const starts = [{ message: 0, turn: 0 }]
  for (const [at, { from }] of turns.entries()) {
    const end = turns[at - 1]?.to ?? from
    if (end < from && history[end]?.role === 'system') starts.push({ message: end, turn: at })
  }
  return starts.map(({ message, turn }, at) => {
    const next = starts[at + 1]
    const messages = history.slice(message, next?.message)
    const own = turns.slice(turn, next?.turn).map(one => ({ ...one, from: one.from - message, to: one.to - message }))
    return { messages, opening: own[0]?.from ?? messages.length, turns: own }
  })
}
