import type { Message } from '../model-call.ts'
import type { PromptPart } from './trajectory.ts'

/** A history that is put together from prompts: each repeats the ones before it, and only what is new is added. */
export class MergedHistory {
  readonly #messages: Message[] = []
  /** Where each message stands, by its text, ascending. */
  readonly #places = new Map<string, number[]>()
  /** An agent sends the same objects again and again: their texts are made once. */
  readonly #keys = new WeakMap<Message, string>()

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** The parts of the history that a prompt is made of; messages that it does not have yet are added. */
  take(prompt: readonly Message[]): readonly PromptPart[] {
    const parts: { from: number; to: number }[] = []
    const used = new Set<number>()
    let before = -1
    for (const message of prompt) {
      const at = this.#placeOf(message, before, used) ?? this.add(message)
      used.add(at)
      const last = parts.at(-1)
      if (last?.to === at) last.to++
      else parts.push({ from: at, to: at + 1 })
      before = at
    }
    return parts
  }

  add(message: Message): number {
    const key = this.#keyOf(message)
    const at = this.#messages.push(message) - 1
    const places = this.#places.get(key)
    if (places === undefined) this.#places.set(key, [at])
    else places.push(at)
    return at
  }

  /** The end of the results that follow an answer. */
  endOfResults(at: number): number {
    const answer = this.#messages[at]
    const ids = answer?.role === 'assistant' ? (answer.tool_calls ?? []).map(({ id }) => id) : []
    let end = at + 1
    for (let next = this.#messages[end]; next?.role === 'tool' && ids.includes(next.tool_call_id); )
      next = this.#messages[++end]
    return end
  }

  /** The next place at which the same message stands; an earlier one where an agent has put a new message before old ones. */
  #placeOf(message: Message, before: number, used: ReadonlySet<number>): number | undefined {
    const places = this.#places.get(this.#keyOf(message)) ?? []
    // Nearly always it is the very next one.
    if (places.at(-1) === before + 1 && !used.has(before + 1)) return before + 1
    return places.find(at => at > before && !used.has(at)) ?? places.find(at => !used.has(at))
  }

  /** Thoughts come with an answer, but not every agent sends them back. */
  #keyOf(message: Message): string {
    const known = this.#keys.get(message)
    if (known !== undefined) return known
    const { cache: _cache, ...said } = message
    const { reasoning: _reasoning, ...key } = said.role === 'assistant' ? said : { ...said, reasoning: undefined }
    const text = JSON.stringify(key)
    this.#keys.set(message, text)
    return text
  }
}
