import {
  type CallTotals,
  type ModelAnswer,
  noCalls,
  type Purpose,
  type PurposeTotals,
  type Usage,
} from '../model-call.ts'

/** Adds up what the calls of a run used. */
export class Totals {
  #all = noCalls
  readonly #byPurpose = new Map<Purpose, PurposeTotals>()

  /** A try that reached a provider. Without usage nothing is known but its cost. */
  called(
    purpose: Purpose,
    made: {
      readonly usage: Usage | null
      readonly cost_usd: number | null
      readonly most_usd: number | null
      readonly latency_ms: number
      readonly failed: boolean
    },
  ): void {
    this.#add(purpose, totals => ({
      ...withUsage(totals, made.usage),
      calls: totals.calls + 1,
      failed_calls: totals.failed_calls + (made.failed ? 1 : 0),
      cost_usd: plus(totals.cost_usd, made.cost_usd),
      price_usd: plus(totals.price_usd, made.cost_usd),
      known_cost_usd: totals.known_cost_usd + (made.cost_usd ?? 0),
      assumed_usd: totals.assumed_usd + (made.cost_usd === null ? (made.most_usd ?? 0) : 0),
      latency_ms: totals.latency_ms + made.latency_ms,
    }))
  }

  /** A cached answer. */
  reused(purpose: Purpose, answer: ModelAnswer): void {
    this.#add(purpose, totals => ({
      ...withUsage(totals, answer.usage),
      cached_calls: totals.cached_calls + 1,
      saved_usd: totals.saved_usd + (answer.saved_usd ?? 0),
      price_usd: plus(totals.price_usd, answer.saved_usd),
      latency_ms: totals.latency_ms + answer.latency_ms,
    }))
  }

  get sum(): CallTotals {
    return { ...this.#all, by_purpose: Object.fromEntries(this.#byPurpose) }
  }

  #add(purpose: Purpose, change: (totals: PurposeTotals) => PurposeTotals): void {
    this.#all = change(this.#all)
    this.#byPurpose.set(purpose, change(this.#byPurpose.get(purpose) ?? noCalls))
  }
}

/** A sum is unknown as soon as one of its terms is. */
const plus = (sum: number | null, amount: number | null): number | null =>
  sum === null || amount === null ? null : sum + amount

function withUsage(totals: PurposeTotals, usage: Usage | null): PurposeTotals {
  if (usage === null) return totals
  return {
    ...totals,
    input_tokens: totals.input_tokens + usage.input_tokens,
    cached_input_tokens: totals.cached_input_tokens + usage.cached_input_tokens,
    cache_write_tokens: totals.cache_write_tokens + usage.cache_write_tokens,
    output_tokens: totals.output_tokens + usage.output_tokens,
    reasoning_tokens: totals.reasoning_tokens + usage.reasoning_tokens,
  }
}
