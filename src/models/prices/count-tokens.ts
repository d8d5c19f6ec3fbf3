import { sha256 } from '../../util/hash.ts'
import { type MediaPart, type Message, type ModelCall, mediaIn, type Tool, wordsIn } from '../model-call.ts'
import type { Route } from '../route.ts'
import { boundOfMedia, estimateOfMedia } from './media-tokens.ts'

/**
 * The most input tokens that a call can have.
 *
 * Tokenizers of language models work on bytes, so a text never has more tokens than bytes: for short texts that bound is
 * taken, since it costs nothing and a few cents of reservation more do no harm. Longer texts are counted with the
 * tokenizer of OpenAI's newer models (o200k, read when it is first needed). Other vendors' tokenizers are not public: for
 * them half as many again are assumed, which is more than was found for any of them on English, code and Chinese.
 */
export function boundInputTokens(call: InputParts, route: CountedRoute): Promise<number> {
  const texts = [...call.messages.flatMap(textsOf), ...textsBeside(call)]
  return boundOfInput({ texts, media: call.messages.flatMap(mediaIn) }, route)
}

/** The same for pieces of an input. */
export async function boundOfInput(
  { texts, media }: { readonly texts: readonly string[]; readonly media: readonly MediaPart[] },
  route: CountedRoute,
): Promise<number> {
  let sum = perCall
  for (const text of texts) sum += perText + (await boundOfText(text, route.provider === 'openai'))
  for (const part of media) sum += boundOfMedia(part, route)
  return sum
}

type CountedRoute = Pick<Route, 'kind' | 'provider' | 'setting'>

/** A message, and the thoughts that go back with it. */
const textsOf = (message: Message): readonly string[] => [
  textOf(message),
  ...(message.role === 'assistant' ? (message.reasoning ?? []).map(part => JSON.stringify(part)) : []),
]

const textsBeside = ({ tools = [], schema }: InputParts): readonly string[] => [
  ...tools.map(tool => JSON.stringify(tool)),
  ...(schema === undefined ? [] : [JSON.stringify(schema)]),
]

/** About as many input tokens as these messages have, without tools and schema. */
export async function estimateMessages(messages: readonly Message[], route: CountedRoute): Promise<number> {
  if (route.kind === 'sim') return simInputTokens({ messages })
  let sum = 0
  for (const text of messages.map(textOf)) sum += perMessage + (await estimateOfText(text, route))
  return sum + messages.flatMap(mediaIn).reduce((total, part) => total + estimateOfMedia(part), 0)
}

/** About as many input tokens as a whole call has. */
export async function estimateInputTokens(call: InputParts, route: CountedRoute): Promise<number> {
  if (route.kind === 'sim') return simInputTokens(call)
  let sum = await estimateMessages(call.messages, route)
  for (const text of textsBeside(call)) sum += perMessage + (await estimateOfText(text, route))
  return sum
}

/** The overhead of a message, in tokens. */
export const perMessage = 4

/** Other vendors' texts have somewhat more tokens than OpenAI's; by how much depends on the text. */
const estimateOfText = async (text: string, { provider }: CountedRoute): Promise<number> =>
  text.length > veryLong
    ? Math.ceil(text.length / 4)
    : Math.ceil((await counts.of(text)) * (provider === 'openai' ? 1 : 1.15))

type InputParts = Pick<ModelCall, 'messages' | 'tools' | 'schema'>

/** The overhead that providers add to a conversation, and to each message and tool in it. */
const perCall = 64
const perText = 16

const short = 2_000
/** Beyond this, counting takes longer than it is worth. */
const veryLong = 4_000_000

async function boundOfText(text: string, isOpenAi: boolean): Promise<number> {
  const bytes = Buffer.byteLength(text)
  if (bytes <= short || bytes > veryLong) return bytes
  const counted = await counts.of(text)
  return Math.min(bytes, isOpenAi ? counted : Math.ceil(counted * 1.5))
}

/** Agents send the same long messages again and again: recent counts are remembered, by a digest of the text. */
class RememberedCounts {
  readonly #counted = new Map<string, number>()

  async of(text: string): Promise<number> {
    const digest = sha256(text)
    const known = this.#counted.get(digest)
    if (known !== undefined) return known
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    // Text that looks like a control token is plain text to the model.
    const counted = countTokens(text, { disallowedSpecial: new Set() })
    if (this.#counted.size >= remembered) this.#counted.delete(this.#counted.keys().next().value ?? '')
    this.#counted.set(digest, counted)
    return counted
  }
}

const remembered = 10_000
const counts = new RememberedCounts()

/** Simulated models count four characters as a token: quick, and the same everywhere. */
export const simTokensOf = (text: string): number => Math.ceil(text.length / 4)

/** A simulated model's count of input tokens, if no size was declared. */
export function simInputTokens(call: {
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
  readonly schema?: unknown
}): number {
  const messages = call.messages.reduce((sum, message) => sum + perMessage + simTokensOf(textOf(message)), 0)
  const media = call.messages.flatMap(mediaIn).reduce((sum, part) => sum + estimateOfMedia(part), 0)
  const tools = (call.tools ?? []).reduce((sum, tool) => sum + simTokensOf(JSON.stringify(tool)), 0)
  return messages + media + tools + (call.schema === undefined ? 0 : simTokensOf(JSON.stringify(call.schema)))
}

/** A message as one text: its words, and the called tools with their arguments. */
export function textOf(message: Message): string {
  if (message.role !== 'assistant' || message.tool_calls === undefined) return wordsIn(message.content)
  return [message.content, ...message.tool_calls.map(call => `${call.name} ${JSON.stringify(call.arguments)}`)].join(
    ' ',
  )
}

/** The same as {@link estimateMessages} for one message after the other; each message is counted once. */
export async function messageCounter(route: CountedRoute): Promise<(message: Message) => number> {
  if (route.kind === 'sim') return message => simInputTokens({ messages: [message] })
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const factor = route.provider === 'openai' ? 1 : 1.15
  return message => {
    const known = countedMessages.get(message)
    const text = textOf(message)
    const counted =
      known ?? (text.length > veryLong ? text.length / 4 : countTokens(text, { disallowedSpecial: new Set() }))
    if (known === undefined) countedMessages.set(message, counted)
    const media = mediaIn(message).reduce((sum, part) => sum + estimateOfMedia(part), 0)
    return perMessage + Math.ceil(counted * factor) + media
  }
}

const countedMessages = new WeakMap<Message, number>()
