import { createHash } from 'node:crypto'
import type { SimTokens } from '../../define/models/model-settings.ts'
import { sha256 } from '../../util/hash.ts'
import { type Message, type ModelCall, mediaIn, type Tool, type Usage } from '../model-call.ts'
import { perMessage, simTokensOf, textOf } from './count-tokens.ts'
import { estimateOfMedia } from './media-tokens.ts'

/** A piece of a prompt, in the order in which the provider reads it. */
export interface PromptBlock {
  readonly text: string
  /** Characters that count as input; default: those of the text. */
  readonly size?: number | undefined
  /** Whether and for how long the prompt up to here is to be cached. */
  readonly keep?: CacheTtl | undefined
}

export type CacheTtl = '5m' | '1h'

/** Tokens of a prompt that came from the provider's cache, and that were written to it. */
export interface CacheUse {
  readonly read: number
  readonly write_5m: number
  readonly write_1h: number
}

const ttlMs: { readonly [T in CacheTtl]: number } = { '5m': 300_000, '1h': 3_600_000 }
/** OpenAI caches a prompt for five to ten minutes. */
const automaticMs = 600_000
/** Shorter prompts are not cached, by either provider. */
const least = 1024
/** OpenAI caches in steps of so many tokens. */
const step = 128
/** Anthropic searches at most this many blocks before a mark. */
const lookback = 20
const remembered = 200_000
/** Of simulated models. */
export const charactersPerToken = 4

/**
 * A prompt in the order in which providers read it, with exactly the length of its counted input: including the
 * overhead of each message, and each part rounded up to whole tokens.
 */
export const promptOf = (parts: {
  readonly tools?: readonly Tool[] | undefined
  readonly schema?: unknown
  readonly messages: readonly Message[]
}): readonly PromptBlock[] => [
  ...(parts.tools ?? []).map(tool => ({ text: filled(JSON.stringify(tool)) })),
  ...(parts.schema === undefined ? [] : [{ text: filled(JSON.stringify(parts.schema)) }]),
  ...parts.messages.map(message => ({ text: messageText(message), keep: message.cache })),
]

const filled = (text: string, tokens: number = simTokensOf(text)): string => text.padEnd(tokens * charactersPerToken)

/** Pictures and files are as long as they count, and differ where their content does. */
const messageText = (message: Message): string =>
  [
    filled(message.role, perMessage),
    filled(textOf(message)),
    ...mediaIn(message).map(part =>
      filled(sha256(JSON.stringify(part)), estimateOfMedia(part)).slice(0, estimateOfMedia(part) * charactersPerToken),
    ),
  ].join('')

/** Never more than the input: a declared size may be smaller than what the cache has seen. */
export function fittingUse({ read, write_1h, write_5m }: CacheUse, input: number): CacheUse {
  const room = Math.max(0, input - read)
  const long = Math.min(write_1h, room)
  return { read: Math.min(read, input), write_1h: long, write_5m: Math.min(write_5m, room - long) }
}

export const withCacheUse = (usage: Usage, { read, write_5m, write_1h }: CacheUse): Usage => ({
  ...usage,
  cached_input_tokens: read,
  cache_write_tokens: write_5m + write_1h,
  cache_write_1h_tokens: write_1h,
})

/** A provider's cache of earlier prompts: forgets old ones, and the oldest if there are too many. */
export class PrefixCache {
  readonly #until = new Map<string, number>()

  /** As OpenAI does it: every prompt, in steps of 128 tokens, and writing costs nothing. */
  automatic(model: string, blocks: readonly PromptBlock[], now: number): CacheUse {
    const text = blocks.map(block => block.text).join('')
    const steps = Math.floor(text.length / charactersPerToken / step)
    const none = { read: 0, write_5m: 0, write_1h: 0 }
    if (steps * step < least) return none
    const hash = createHash('sha256').update(model)
    const keys: string[] = []
    for (let at = 0; at < steps; at++)
      keys.push(
        hash
          .update(text.slice(at * step * charactersPerToken, (at + 1) * step * charactersPerToken))
          .copy()
          .digest('base64'),
      )
    const fresh = keys.findIndex(key => !this.#has(key, now))
    const found = (fresh === -1 ? keys.length : fresh) * step
    for (const key of keys) this.#keep(key, now + automaticMs, now)
    return { ...none, read: found < least ? 0 : found }
  }

  /** As Anthropic does it: up to each mark, where something is written that was not there, which costs more. */
  marked(model: string, blocks: readonly PromptBlock[], now: number): CacheUse {
    const places = placesOf(model, blocks)
    const marks = places.filter(({ keep, tokens }) => keep !== undefined && tokens >= least)
    const kept = marks.flatMap(({ index }) =>
      places.slice(Math.max(0, index - lookback), index + 1).filter(({ key }) => this.#has(key, now)),
    )
    const read = Math.max(0, ...kept.map(({ tokens }) => tokens))
    const written = { '5m': 0, '1h': 0 }
    let done = read
    for (const { tokens, keep = '5m', key } of marks) {
      if (tokens > done) {
        written[keep] += tokens - done
        done = tokens
      }
      this.#keep(key, now + ttlMs[keep], now)
    }
    return { read, write_5m: written['5m'], write_1h: written['1h'] }
  }

  #has(key: string, now: number): boolean {
    return (this.#until.get(key) ?? 0) > now
  }

  #keep(key: string, until: number, now: number): void {
    const known = this.#until.get(key) ?? 0
    this.#until.delete(key)
    this.#until.set(key, Math.max(until, known > now ? known : 0))
    if (this.#until.size > remembered) this.#until.delete(this.#until.keys().next().value ?? '')
  }
}

/**
 * Providers' caches for the prompts of one run. Time stands still in it, and other runs are not in it, so that results
 * depend neither on the speed of the machine nor on its other work.
 */
export class RunPrompts {
  readonly #cache = new PrefixCache()

  /** Which part of a prompt is already cached; from now on all of it is. null: the model's settings name no such cache. */
  ask(call: AskedPrompt, tokens: SimTokens | undefined): CacheUse | null {
    if (tokens?.cached === 'prefix') return this.#cache.automatic(call.model, promptOf(call), 0)
    if (tokens?.cached === 'marked') return this.#cache.marked(call.model, promptOf(call), 0)
    return null
  }
}

type AskedPrompt = Pick<ModelCall, 'model' | 'messages' | 'tools' | 'schema'>

interface Place extends Pick<PromptBlock, 'keep'> {
  readonly index: number
  readonly key: string
  /** Tokens of the prompt up to here. */
  readonly tokens: number
}

function placesOf(model: string, blocks: readonly PromptBlock[]): readonly Place[] {
  const hash = createHash('sha256').update(model)
  let tokens = 0
  return blocks.map(({ text, size = text.length, keep }, index) => {
    // Rounded down, so that no part has more tokens than the whole.
    tokens += Math.floor(size / charactersPerToken)
    return { index, keep, tokens, key: hash.update(`${text.length} ${text}`).copy().digest('base64') }
  })
}
