import { runCaps } from './limits.ts'

/**
 * Permission to call a model. Before each call, its upper bound is requested against the limits of the run, of the
 * experiment and of the provider; afterwards the actual amount is settled. The engine gives permits; models only ask.
 * Every try of a call needs its own permit: a repeated call was sent, and perhaps paid for, twice.
 */
export interface Permits {
  /**
   * Waits while the rate is used up, while the provider asks for a pause (see {@link Settlement.rate_limited}), and
   * while calls under way may leave some of their reservation. Rejects with a {@link LimitReached} if a limit is
   * reached, and with the signal's reason when that is aborted.
   */
  acquire(ask: PermitAsk, signal: AbortSignal): Promise<Permit>
  /** Once per permit, however the call ended. */
  settle(permit: Permit, actual: Settlement): void
}

export interface PermitAsk {
  /** The provider whose rates apply: `openai`. */
  readonly provider: string
  /** Which of the provider's keys, by a short digest that reveals nothing about it; rates are per key. */
  readonly key: string
  readonly model: string
  /** The purpose of the call, as shown in the ledger: any name. */
  readonly purpose?: string | undefined
  /** The most tokens that the call can use, input and output. */
  readonly tokens: number
  /** The most that the call can cost; null: its price is unknown. */
  readonly usd: number | null
}

export interface Permit {
  readonly id: number
  readonly ask: PermitAsk
}

/** What a call used. */
export interface Settlement {
  readonly tokens: number
  /** null: unknown, as when a stream was interrupted. An unknown cost is never 0: its upper bound is charged instead. */
  readonly usd: number | null
  /**
   * The provider refused with too many requests, and perhaps said when to come back. All calls to that provider with
   * that key wait for it in `acquire`: to retry, just acquire again.
   */
  readonly rate_limited: { readonly retry_after_ms: number | null } | null
  /** Nothing was sent after all: it was not a call. */
  readonly is_unsent?: boolean | undefined
  /** As counted by the provider; null or absent: it did not report it. */
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

/** Whether it counts as a call: a refused or unsent one does not. */
export const isCall = ({ rate_limited, is_unsent = false }: Settlement): boolean => rate_limited === null && !is_unsent

/** What to book for ended calls. */
export interface CallMovements {
  /** Their reservations, one by one; null if the attempt's own reservation pays for its calls. */
  readonly releaseUsd: number | null
  /** Separate lines for each purpose, model and kind, and for calls without counted tokens. */
  readonly lines: readonly CallLine[]
  readonly calls: number
  readonly tokens: number
  /** Whether the cost of some of them is unknown. */
  readonly isUnknown: boolean
}

/** Calls of an attempt that were sent and are not booked: the use of ended ones, and the maximum of the others. */
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
  /** The part that exceeded the reservations. */
  readonly overrunUsd: number
  /** null: they were not counted. */
  readonly tokens: CallTokens | null
}

/** Smaller than any price, larger than the rounding of sums: keeps 10 × 0.1 within a budget of 1. */
export const roundingUsd = 1e-9

/** What ends a run as `cost_limited`: limits of the experiment, and an unknown price. */
export const costLimits = ['run_budget_usd', 'budget_usd', ...runCaps, 'unknown_price'] as const

export type LimitName = (typeof costLimits)[number] | 'rate'

/** A call exceeds a limit. It ends the run: as `rate_limited` for a rate, otherwise as `cost_limited`. */
export class LimitReached extends Error {
  readonly limit: LimitName
  /** The value of the limit; null: it has no number. */
  readonly at: number | null

  constructor(limit: LimitName, message: string, at: number | null = null) {
    super(message)
    this.name = 'LimitReached'
    this.limit = limit
    this.at = at
  }
}

/** A limit on money can't be enforced for a model without a price. */
export function unknownPrice({ model }: PermitAsk, limit: string): LimitReached {
  const message = `the price of ${model} is unknown, so ${limit} can't be enforced; give it a price under models, or remove the limit`
  return new LimitReached('unknown_price', message)
}
