import type { Message, ModelAnswer, ModelClient } from '../../models/model-call.ts'
import type { JsonObject } from '../../util/json.ts'
import type { CallRecord } from './state/state.ts'

export interface Question {
  readonly purpose: 'talk' | 'coalition' | 'decision' | 'world' | 'metric' | 'check' | 'summary'
  /** The actor that was asked; null: not an actor. */
  readonly actor: string | null
  readonly model: string
  readonly system: string
  readonly prompt: string
  /** The answer's form for models that support a schema; others are asked for labelled sections. */
  readonly schema: JsonObject
  /** The same in words, for those that do not. */
  readonly labels: string
}

/** Asks models, and records what each call used, in an order that does not depend on which answer arrives first. */
export interface Asking {
  ask(question: Question): Promise<ModelAnswer>
  /** Does the same with all items at once. */
  together<T, R>(items: readonly T[], work: (item: T, asking: Asking) => Promise<R>): Promise<readonly R[]>
  /** All calls so far. */
  readonly calls: readonly CallRecord[]
}

export interface AskingParts {
  readonly client: Pick<ModelClient, 'call'>
  readonly signal: AbortSignal
  /** Whether a model supports a JSON Schema. */
  takesSchema(model: string): boolean
}

export function openAsking(parts: AskingParts): Asking {
  const calls: CallRecord[] = []
  return {
    calls,
    async ask({ purpose, actor, model, system, prompt, schema, labels }) {
      const isHeld = parts.takesSchema(model)
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: isHeld ? prompt : `${prompt}\n\n${labels}` },
      ]
      const answer = await parts.client.call({ model, messages, purpose, ...(isHeld && { schema }) }, parts.signal)
      const { usage, cost_usd, saved_usd, is_cached } = answer
      const { input_tokens, output_tokens } = usage
      calls.push({ purpose, actor, model, input_tokens, output_tokens, cost_usd: is_cached ? saved_usd : cost_usd })
      return answer
    },
    async together(items, work) {
      const inner = items.map(() => openAsking(parts))
      const made = await Promise.allSettled(items.map((item, at) => work(item, inner[at] ?? openAsking(parts))))
      // Calls under way are paid for, so all are waited for before an error ends the turn.
      for (const one of inner) calls.push(...one.calls)
      return made.map(one => {
        if (one.status === 'rejected') throw one.reason
        return one.value
      })
    },
  }
}
