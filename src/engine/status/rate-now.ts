import type { Limits } from '../../define/limits.ts'
import { ceilingOf } from '../../record/rates/admit.ts'
import { type RateState, rateAt } from '../../record/rates/rate-state.ts'
import type { RateKey } from '../../record/rates/rate-store.ts'

/** How much of each provider's rate is used now, and how the provider took it. */
export interface RateNow extends RateKey {
  readonly requests: number
  readonly rpm: number | null
  readonly tokens: number
  readonly tpm: number | null
  /** Calls at once, at most; null: as many as there are. */
  readonly at_once: number | null
  /** How many there were when the provider complained; null: it has not. */
  readonly complained_at_once: number | null
  readonly wait_ms: number
}

export function rateNow(
  { provider, key, state }: RateKey & { readonly state: RateState },
  limits: Limits,
  now: number,
): RateNow {
  const current = rateAt(state, now)
  const limit = limits.rate[provider] ?? { rpm: null, tpm: null, concurrency: null }
  const atOnce = ceilingOf(current, limit)
  return {
    provider,
    key,
    requests: current.seconds.reduce((sum, { requests }) => sum + requests, 0),
    rpm: limit.rpm,
    tokens: current.seconds.reduce((sum, { tokens }) => sum + tokens, 0),
    tpm: limit.tpm,
    at_once: Number.isFinite(atOnce) ? atOnce : null,
    complained_at_once: current.complained_at_once,
    wait_ms: Math.max(0, current.blocked_until - now),
  }
}
