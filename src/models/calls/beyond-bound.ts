import * as z from 'zod'
import type { Usage } from '../model-call.ts'

/** The most that a try can take, in tokens. */
export interface TokenBound {
  readonly input: number
  readonly output: number
}

/**
 * By how much, at most, a provider has exceeded the request: hidden reasoning, a server that ignores limits, a
 * tokenizer that makes more tokens than the known ones, a bill above the list price.
 */
const beyondSchema = z.lazy(() =>
  z.object({
    /** The ratio of an input's tokens to their bound. */
    input_factor: z.number().min(1),
    /** The longest output that went beyond its limit, and by how much one did. */
    output: z.number().min(0),
    output_excess: z.number().min(0),
    /** The ratio of a call's cost to the price of its tokens. */
    usd_factor: z.number().min(1),
    /** The cost of a call that should have been free. */
    free_usd: z.number().min(0),
  }),
)
type Beyond = z.infer<typeof beyondSchema>

const within: Beyond = { input_factor: 1, output: 0, output_excess: 0, usd_factor: 1, free_usd: 0 }

/** Where this is remembered, by model name: for other processes, and for later. */
export interface BeyondStore {
  get(model: string): string | undefined
  set(model: string, seen: string): void
}

/** The limits of a call, and what it used. */
export interface Billed {
  /** Before it was raised. */
  readonly asked: TokenBound
  readonly usage: Usage
  readonly cost_usd: number | null
  /** The maximum cost of so many tokens; null: unknown. */
  usdOf(tokens: TokenBound): number | null
}

/** Raises the bounds of a model's calls by what its provider has billed beyond them. */
export class BeyondBound {
  readonly #model: string
  readonly #store: BeyondStore
  #parsed: { readonly text: string; readonly seen: Beyond } | null = null

  constructor(model: string, store: BeyondStore) {
    this.#model = model
    this.#store = store
  }

  /** Another text as soon as bounds are raised further. */
  get version(): string {
    return this.#store.get(this.#model) ?? ''
  }

  /** A server may add to a limit, or ignore it: there is room for either. */
  raise({ input, output }: TokenBound): TokenBound {
    const seen = this.#seen
    const raised = seen.output_excess === 0 ? output : Math.max(output + seen.output_excess, seen.output)
    return { input: Math.ceil(input * seen.input_factor), output: raised }
  }

  raiseUsd(usd: number | null): number | null {
    const { usd_factor, free_usd } = this.#seen
    return usd === null ? null : usd === 0 ? free_usd : usd * usd_factor
  }

  /** Remembers a call that exceeded its bound by more than any before. */
  saw({ asked, usage, cost_usd, usdOf }: Billed): void {
    const before = this.#seen
    const excess = usage.output_tokens - asked.output
    const tokens: Beyond = {
      ...before,
      input_factor: Math.max(before.input_factor, usage.input_tokens / Math.max(1, asked.input)),
      output: excess > 0 ? Math.max(before.output, usage.output_tokens) : before.output,
      output_excess: Math.max(before.output_excess, excess),
    }
    const taken = {
      input: Math.max(asked.input, usage.input_tokens),
      output: Math.max(asked.output, usage.output_tokens),
    }
    const list = usdOf(taken)
    const cost = cost_usd ?? 0
    const after = {
      ...tokens,
      ...(list === 0 && { free_usd: Math.max(before.free_usd, cost) }),
      ...(list !== null && list > 0 && { usd_factor: Math.max(before.usd_factor, cost / list) }),
    }
    const text = JSON.stringify(after)
    if (text !== JSON.stringify(before)) this.#store.set(this.#model, text)
  }

  get #seen(): Beyond {
    const text = this.#store.get(this.#model)
    if (text === undefined) return within
    if (this.#parsed?.text !== text) this.#parsed = { text, seen: beyondSchema.parse(JSON.parse(text)) }
    return this.#parsed.seen
  }
}
