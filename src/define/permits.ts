/**
 * Leave to call a model. Before each call its upper bound is asked for, against the limits of the run, of the experiment
 * and of the provider; afterwards what it really took is settled. The engine gives permits; models only ask.
 */
export interface Permits {
  /**
   * Waits while a rate is used up. Rejects with a {@link LimitReached} where a limit leaves no room, and with the
   * signal's reason when that is aborted.
   */
  acquire(ask: PermitAsk, signal: AbortSignal): Promise<Permit>
  /** Once per permit, whatever came of the call. */
  settle(permit: Permit, actual: Settlement): void
}

export interface PermitAsk {
  /** Whose rates count: `openai`. */
  readonly provider: string
  /** Which of the provider's keys, by a short digest that tells nothing about it; rates are per key. */
  readonly key: string
  readonly model: string
  /** The most that the call can take, input and output. */
  readonly tokens: number
  /** The most that the call can cost; null: nobody knows its price. */
  readonly usd: number | null
}

export interface Permit {
  readonly id: number
  readonly ask: PermitAsk
}

/** What a call took. */
export interface Settlement {
  readonly tokens: number
  /** null: not known. Never 0 for want of knowledge. */
  readonly usd: number | null
  /** The provider said that it was too much, and perhaps when to come back. */
  readonly rate_limited: { readonly retry_after_ms: number | null } | null
}

/** A limit leaves no room for a call. */
export class LimitReached extends Error {
  /** Which one: `run_budget_usd`, `budget_usd`, `run_calls`, `run_tokens`. */
  readonly limit: string

  constructor(limit: string, message: string) {
    super(message)
    this.name = 'LimitReached'
    this.limit = limit
  }
}
