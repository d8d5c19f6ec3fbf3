import type { Limits } from '../../define/experiment.ts'
import { ceilingOf } from '../../record/rates/admit.ts'
import { type RateState, rateAt } from '../../record/rates/rate-state.ts'
import type { RateKey } from '../../record/rates/rate-table.ts'
import { shortDuration } from './number.ts'

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

/** `openai: 45 of 500 requests this minute, at most 4 calls at once (it complained at 8)`. */
export function rateLine(rate: RateNow): string {
  const of = (used: number, most: number | null) => (most === null ? `${used}` : `${used} of ${most}`)
  const { at_once, complained_at_once, wait_ms } = rate
  const complained = complained_at_once === null ? '' : ` (it complained at ${complained_at_once})`
  const parts = [
    `${of(rate.requests, rate.rpm)} requests and ${of(rate.tokens, rate.tpm)} tokens this minute`,
    ...(at_once === null ? [] : [`at most ${at_once} ${at_once === 1 ? 'call' : 'calls'} at once${complained}`]),
    ...(wait_ms > 0 ? [`left alone for ${shortDuration(wait_ms)}`] : []),
  ]
  return `${rate.provider}: ${parts.join(', ')}`
}
