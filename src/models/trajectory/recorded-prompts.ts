import * as z from 'zod'
import { isJsonObject } from '../../util/json.ts'
import { type Message, wordsIn } from '../model-call.ts'
import { contentOf, messagesOfChat } from './chat-messages.ts'
import { type ChatMessage, chatMessage, type SweHistoryItem } from './swe-agent-schema.ts'
import { masked, type PromptPart, type Summary } from './trajectory.ts'

/** What prompts of a file are made of. */
interface Written {
  /** The history as the file has it, and the same as messages, one to one. */
  readonly items: readonly SweHistoryItem[]
  readonly history: readonly Message[]
  readonly summaries: readonly Pick<Summary, 'text'>[]
}

/**
 * Finds a prompt that another program recorded in the history of the same file: unchanged and masked messages,
 * summaries, and messages that are nowhere else. Only positions are kept: prompts repeat each other, and are by far the
 * largest part of a file.
 */
export class RecordedPrompts {
  readonly #written: Written
  #places: ReadonlyMap<string, readonly number[]> | null = null

  constructor(written: Written) {
    this.#written = written
  }

  /** null: there is none, or it can't be read. */
  find(prompt: unknown): readonly PromptPart[] | null {
    if (!Array.isArray(prompt) || prompt.length === 0) return null
    const parts: PromptPart[] = []
    let next = 0
    for (const [at, raw] of prompt.entries()) {
      const found = isSame(raw, this.#written.items[next]) ? { at: next, isMasked: false } : this.#search(raw, next)
      if (found === 'unreadable') return null
      if (found === null) {
        const besides = this.#besides(prompt.slice(0, at + 1))
        if (besides === null) return null
        parts.push(besides)
        continue
      }
      next = found.at + 1
      add(parts, found)
    }
    return parts
  }

  #search(raw: unknown, next: number): Found | 'unreadable' | null {
    const { data: message } = chatMessage.safeParse(raw)
    if (message === undefined) return 'unreadable'
    const hidden = this.#written.history[next]
    if (hidden !== undefined && isMaskOf(message, hidden)) return { at: next, isMasked: true }
    this.#places ??= placesOf(this.#written.items)
    const later = this.#places.get(said(message))?.find(at => at >= next)
    return later === undefined ? null : { at: later, isMasked: false }
  }

  /** The last of these. A result is recognised by the call before it. */
  #besides(upToIt: readonly unknown[]): PromptPart | null {
    const { data } = promptSchema.safeParse(upToIt)
    const message = data === undefined ? undefined : messagesOfChat(data).at(-1)
    if (message === undefined) return null
    const words = wordsIn(message.content)
    const summary = this.#written.summaries.findIndex(({ text }) => text !== '' && text === words)
    return summary >= 0 ? { summary } : { message }
  }
}

const promptSchema = z.lazy(() => z.array(chatMessage))

/** Nearly always a message is the very next one, and the very same text: that has to be found without copying it. */
function isSame(raw: unknown, item: SweHistoryItem | undefined): boolean {
  if (item === undefined || !isJsonObject(raw) || raw.role !== item.role || raw.content !== item.content) return false
  if (typeof item.content !== 'string') return false
  return (raw.tool_calls ?? null) === (item.tool_calls ?? null)
}

/** The positions of messages, by their content. */
function placesOf(items: readonly SweHistoryItem[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, item] of items.entries()) {
    const text = said(item)
    const known = places.get(text)
    if (known === undefined) places.set(text, [at])
    else known.push(at)
  }
  return places
}

interface Found {
  readonly at: number
  readonly isMasked: boolean
}

const wordsOf = ({ content }: ChatMessage): string => wordsIn(contentOf(content))

/** SWE-agent writes "1 lines". */
function isMaskOf(message: ChatMessage, hidden: Message): boolean {
  const short = masked(hidden)
  return (
    short !== hidden && wordsOf(message).replace('(1 lines omitted)', '(1 line omitted)') === wordsIn(short.content)
  )
}

/** What makes two messages the same: without marks and other facts about them. */
const said = (message: ChatMessage): string =>
  `${message.role} ${wordsOf(message)}${message.tool_calls == null ? '' : JSON.stringify(message.tool_calls)}`

function add(parts: PromptPart[], { at, isMasked }: Found): void {
  const last = parts.at(-1)
  if (last !== undefined && 'from' in last && last.to === at && (last.masked ?? false) === isMasked)
    parts[parts.length - 1] = { ...last, to: at + 1 }
  else parts.push({ from: at, to: at + 1, ...(isMasked && { masked: true as const }) })
}
