import { runCaps } from './limits.ts'

/**
 * Leave to call a model. Before each call its upper bound is asked for, against the limits of the run, of the experiment
 * and of the provider; afterwards what it really took is settled. The engine gives permits; models only ask. Every try
 * of a call needs its own permit: a repeated one was sent, and perhaps paid for, twice.
 */
export interface Permits {
  /**
   * Waits while the rate is used up, while the provider wants to be left alone (see {@link Settlement.rate_limited}), and
   * while calls that are under way may leave more money than was set aside for them. Rejects with a {@link LimitReached}
   * where a limit leaves no room, and with the signal's reason when that is aborted.
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
  /** What the call is for, as the ledger tells it apart: an open name. */
  readonly purpose?: string | undefined
  /** The most that the call can take, input and output. */
  readonly tokens: number
  /** The most that the call can cost; null: its price is unknown. */
  readonly usd: number | null
}

export interface Permit {
  readonly id: number
  readonly ask: PermitAsk
}

/** What a call took. */
export interface Settlement {
  readonly tokens: number
  /** null: not known, as when a stream was cut. Never 0 for an unknown cost: its upper bound is charged instead. */
  readonly usd: number | null
  /**
   * The provider said that it was too much, and perhaps when to come back. Everybody on that provider and key waits for
   * it in `acquire`: who wants to try again only has to ask again.
   */
  readonly rate_limited: { readonly retry_after_ms: number | null } | null
  /** Nothing was sent after all: it was no call. */
  readonly is_unsent?: boolean | undefined
  /** What the provider counted; null or absent: it did not say. */
  readonly usage?: CallTokens | null | undefined
}

/** What a provider counts of calls, by kind. */
export interface CallTokens {
  readonly input_tokens: number
  /** Of the input: read from the provider's cache, and written to it. */
  readonly cached_input_tokens: number
  readonly cache_write_tokens: number
  readonly output_tokens: number
  /** Of the output. */
  readonly reasoning_tokens: number
}

/** Whether it counts as a call: what was turned away, or never sent, does not. */
export const isCall = ({ rate_limited, is_unsent = false }: Settlement): boolean => rate_limited === null && !is_unsent

/** What is to be booked for calls that have ended. */
export interface CallMovements {
  /** What had been set aside for them, one by one; null where the attempt's own reservation pays for its calls. */
  readonly releaseUsd: number | null
  /** Apart for each purpose, model and kind, and for calls without counted tokens. */
  readonly lines: readonly CallLine[]
  readonly calls: number
  readonly tokens: number
  /** Whether the cost of some of them is unknown. */
  readonly isUnknown: boolean
}

/**
 * Calls of an attempt that were sent and are not booked: what those took that have ended, and the most that the others
 * can take.
 */
export interface UnbookedCalls {
  readonly calls: number
  readonly tokens: number
  readonly usd: number
  /** For how many of them the cost is unknown. */
  readonly unpriced: number
}

/** Calls of one model for one purpose. */
export interface CallLine {
  /** `assumed`: their cost was not reported, so it is the most that they can have cost. */
  readonly kind: 'charge' | 'assumed'
  readonly purpose: string | null
  readonly model: string
  readonly calls: number
  readonly usd: number
  /** What of it was more than had been set aside for each of them. */
  readonly overrunUsd: number
  /** null: they were not counted. */
  readonly tokens: CallTokens | null
}

/** Smaller than any price, larger than the rounding of sums: keeps 10 × 0.1 within a budget of 1. */
export const roundingUsd = 1e-9

/** What cuts a run as `cost_limited`: limits of the experiment, and an unknown price. */
export const costLimits = ['run_budget_usd', 'budget_usd', ...runCaps, 'unknown_price'] as const

export type LimitName = (typeof costLimits)[number] | 'rate'

/** A limit leaves no room for a call. It ends the run: as `rate_limited` for a rate, as `cost_limited` otherwise. */
export class LimitReached extends Error {
  readonly limit: LimitName
  /** Where the limit stood; null: it has no number. */
  readonly at: number | null

  constructor(limit: LimitName, message: string, at: number | null = null) {
    super(message)
    this.name = 'LimitReached'
    this.limit = limit
    this.at = at
  }
}

/** A limit on money can't be kept for a model without a price. */
export function unknownPrice({ model }: PermitAsk, limit: string): LimitReached {
  const message = `the price of ${model} is unknown, so ${limit} can't be kept; give it a price under models, or take the limit away`
  return new LimitReached('unknown_price', message)
}
