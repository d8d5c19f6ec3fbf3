import { sha256 } from '../../util/hash.ts'
import type { Message, ModelAnswer, ModelCall, PromptSize } from '../model-call.ts'
import { ContextTooLong } from '../model-error.ts'
import { boundInputTokens, estimateInputTokens, estimateMessages } from '../prices/count-tokens.ts'
import type { Route } from '../route.ts'

/**
 * The length of a run's prompts before they are sent. An agent's next prompt is its last one, the answer, and what was
 * added: the provider has counted the first two, so only the rest is estimated.
 */
export class PromptSizes {
  readonly #measured = new Map<string, Measured>()

  /** Remembers the provider's count. */
  remember(call: ModelCall, { usage, text, tool_calls }: ModelAnswer): void {
    if (usage.input_tokens === 0) return
    if (this.#measured.size >= remembered) this.#measured.delete(this.#measured.keys().next().value ?? '')
    const key = prefixes(call).at(-1) ?? ''
    this.#measured.set(key, { usage, answer: answerDigest(text, tool_calls) })
  }

  async sizeOf(call: ModelCall, route: Route): Promise<PromptSize> {
    const context = route.setting.context ?? null
    const found = this.#longestMeasured(call)
    if (found === null) return { input_tokens: await estimateInputTokens(call, route), measured_tokens: 0, context }
    const { measured_tokens, added } = found
    return { input_tokens: measured_tokens + (await estimateMessages(added, route)), measured_tokens, context }
  }

  /** Before anything is sent, and paid for: a prompt that leaves no room for an answer. */
  async refuseTooLong(call: ModelCall, route: Route): Promise<void> {
    const allowed = route.setting.context
    if (allowed === undefined) return
    const { measured_tokens: counted, added } = this.#longestMeasured(call) ?? { measured_tokens: 0, added: null }
    // Far from the limit a closer count is not needed.
    if (counted + (await boundInputTokens(added === null ? call : { messages: added }, route)) < allowed) return
    const { input_tokens: used, measured_tokens } = await this.sizeOf(call, route)
    if (used < allowed) return
    const measured = measured_tokens > 0 ? `, ${measured_tokens} of them counted by the provider` : ''
    throw new ContextTooLong(
      `${route.name}: the prompt has about ${used} tokens${measured}, and its context is ${allowed} with the answer; it was not sent`,
      {
        ...{ model: route.name, provider: route.provider, used, allowed },
        hint: 'shorten the history; a larger context can be set under models: context',
      },
    )
  }

  #longestMeasured(call: ModelCall): { readonly measured_tokens: number; readonly added: readonly Message[] } | null {
    const { messages } = call
    const keys = prefixes(call)
    for (let length = messages.length; length > 0; length--) {
      const measured = this.#measured.get(keys[length] ?? '')
      if (measured === undefined) continue
      const { usage, answer } = measured
      const next = messages[length]
      const isAnswered = next?.role === 'assistant' && answerDigest(next.content, next.tool_calls ?? []) === answer
      if (!isAnswered) return { measured_tokens: usage.input_tokens, added: messages.slice(length) }
      // Reasoning that is not sent back is not part of the next prompt.
      const thoughts = (next.reasoning ?? []).length === 0 ? usage.reasoning_tokens : 0
      const measured_tokens = usage.input_tokens + usage.output_tokens - thoughts
      return { measured_tokens, added: messages.slice(length + 1) }
    }
    return null
  }
}

interface Measured {
  readonly usage: ModelAnswer['usage']
  readonly answer: string
}

/** Side conversations, such as summaries, must not push the main one out. */
const remembered = 64

/** A key for each prefix of a conversation: no message, the first, the first two, … */
function prefixes({ model, tools = [], schema, messages }: ModelCall): readonly string[] {
  const keys = [sha256(JSON.stringify([model, tools, schema ?? null]))]
  for (const message of messages) keys.push(sha256(`${keys.at(-1)} ${digestOf(message)}`))
  return keys
}

/** Agents keep their messages, and send them again and again. */
const digests = new WeakMap<Message, string>()

function digestOf(message: Message): string {
  const known = digests.get(message)
  if (known !== undefined) return known
  const { cache: _, ...content } = message
  const digest = sha256(JSON.stringify(content))
  digests.set(message, digest)
  return digest
}

const answerDigest = (text: string, toolCalls: ModelAnswer['tool_calls']): string =>
  sha256(JSON.stringify([text, toolCalls.map(call => [call.id, call.name, call.arguments])]))
