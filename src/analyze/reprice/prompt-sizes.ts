import type { Message } from '../../models/model-call.ts'
import { masked, type PromptPart } from '../../models/trajectory/trajectory.ts'

/** Tokens of a message. */
export type SizeOf = (message: Message) => number

/**
 * Sizes of prompts over one history: every message is counted once, and the time for a prompt is proportional to its
 * parts.
 */
export class PromptSizes {
  readonly #messages: readonly Message[]
  readonly #sizeOf: SizeOf
  /** Tokens of all messages before each position, as they are and masked. */
  readonly #plain: number[] = [0]
  readonly #masked: number[] = [0]

  constructor(messages: readonly Message[], sizeOf: SizeOf) {
    this.#messages = messages
    this.#sizeOf = sizeOf
    for (const message of messages) {
      const size = sizeOf(message)
      const short = masked(message)
      this.#plain.push((this.#plain.at(-1) ?? 0) + size)
      this.#masked.push((this.#masked.at(-1) ?? 0) + (short === message ? size : sizeOf(short)))
    }
  }

  /** `summaries`: the size of each. */
  of(parts: readonly PromptPart[], summaries: readonly number[]): number {
    return parts.reduce((sum, part) => sum + this.#ofPart(part, summaries), 0)
  }

  /** Tokens that both prompts begin with: whole messages, and the text around the first one that differs. */
  common(one: readonly PromptPart[], other: readonly PromptPart[], summaries: readonly number[]): number {
    let sum = 0
    const [a, b] = [new Cursor(one), new Cursor(other)]
    for (;;) {
      const [left, right] = [a.part, b.part]
      if (left === undefined || right === undefined) return sum
      if (!this.#beginsAlike(left, right)) return sum + this.#wrapped(left, right)
      if (!('from' in left) || !('from' in right)) {
        sum += this.#ofPart(left, summaries)
        a.skip()
        b.skip()
        continue
      }
      // If only one of them is masked, messages are equal until the first output.
      const end = left.masked === right.masked ? Math.min(left.to, right.to) : this.#untilOutput(left, right)
      sum += this.#ofPart({ ...left, to: end }, summaries)
      if (end < Math.min(left.to, right.to)) return sum + this.#wrapped({ ...left, from: end }, { ...right, from: end })
      a.advance(end)
      b.advance(end)
    }
  }

  #ofPart(part: PromptPart, summaries: readonly number[]): number {
    if ('message' in part) return this.#sizeOf(part.message)
    if ('summary' in part) return summaries[part.summary] ?? 0
    const sums = part.masked === true ? this.#masked : this.#plain
    return (sums[part.to] ?? 0) - (sums[part.from] ?? 0)
  }

  /** Tokens around a message come before its words: messages of one role share them. */
  #wrapped(left: PromptPart, right: PromptPart): number {
    const [one, other] = [this.#firstOf(left), this.#firstOf(right)]
    if (one === undefined || one.role !== other?.role) return 0
    return this.#sizeOf(one.role === 'assistant' ? { role: 'assistant', content: '' } : { ...one, content: '' })
  }

  #firstOf(part: PromptPart): Message | undefined {
    if ('message' in part) return part.message
    return 'summary' in part ? { role: 'assistant', content: '' } : this.#messages[part.from]
  }

  #beginsAlike(left: PromptPart, right: PromptPart): boolean {
    if ('from' in left && 'from' in right) return left.from === right.from
    if ('summary' in left && 'summary' in right) return left.summary === right.summary
    return 'message' in left && 'message' in right && JSON.stringify(left.message) === JSON.stringify(right.message)
  }

  #untilOutput(left: Range, right: Range): number {
    const end = Math.min(left.to, right.to)
    let at = left.from
    while (at < end && masked(this.#messages[at] ?? nothing) === this.#messages[at]) at++
    return at
  }
}

type Range = Extract<PromptPart, { readonly from: number }>
const nothing: Message = { role: 'system', content: '' }

/** Iterates over the parts of a prompt, and over pieces of parts. */
class Cursor {
  readonly #parts: readonly PromptPart[]
  #at = 0
  #from: number | null = null

  constructor(parts: readonly PromptPart[]) {
    this.#parts = parts
  }

  get part(): PromptPart | undefined {
    const part = this.#parts[this.#at]
    return part !== undefined && 'from' in part && this.#from !== null ? { ...part, from: this.#from } : part
  }

  skip(): void {
    this.#at++
    this.#from = null
  }

  advance(to: number): void {
    const part = this.#parts[this.#at]
    if (part !== undefined && 'from' in part && to >= part.to) this.skip()
    else this.#from = to
  }
}
