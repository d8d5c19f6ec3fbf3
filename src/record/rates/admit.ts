import type { RateLimit } from '../../define/rate.ts'
import { expiryOf, type RateState, rateAt, type SentInSecond, secondOf } from './rate-state.ts'

export type Admission =
  | { readonly kind: 'go'; readonly state: RateState }
  /** `until` is null where only the end of a call under way makes room. */
  | { readonly kind: 'wait'; readonly until: number | null; readonly why: 'blocked' | 'rate' | 'concurrency' }

/**
 * Whether a call may be sent now. In any sixty seconds there are at most `rpm` requests and `tpm` tokens: a window
 * that slides by whole seconds, on the safe side. Tokens count as the most that the call can take until it has ended.
 * A call that is larger than a whole minute's tokens goes alone. Pure.
 */
export function admit(
  before: RateState,
  limit: RateLimit,
  call: { readonly tokens: number; readonly underWay: number },
  now: number,
): Admission {
  const state = rateAt(before, now)
  if (now < state.blocked_until) return { kind: 'wait', until: state.blocked_until, why: 'blocked' }
  if (call.underWay >= ceilingOf(state, limit)) return { kind: 'wait', until: null, why: 'concurrency' }
  const tokens = limit.tpm === null ? call.tokens : Math.min(call.tokens, limit.tpm)
  const until = Math.max(
    roomFrom(state.seconds, limit.rpm, 1, second => second.requests),
    roomFrom(state.seconds, limit.tpm, tokens, second => second.tokens),
  )
  if (until > now) return { kind: 'wait', until, why: 'rate' }
  return { kind: 'go', state: { ...state, seconds: withSent(state.seconds, tokens, now) } }
}

/** How many calls at once; at least one, or nothing would ever grow again. */
export function ceilingOf(state: RateState, { concurrency }: RateLimit): number {
  const ceiling = Math.min(concurrency ?? Number.POSITIVE_INFINITY, state.ceiling ?? Number.POSITIVE_INFINITY)
  return Math.max(1, Math.floor(ceiling))
}

/** From when on so much more fits: as soon as enough of the oldest seconds no longer count. */
function roomFrom(
  seconds: readonly SentInSecond[],
  limit: number | null,
  more: number,
  amountOf: (second: SentInSecond) => number,
): number {
  if (limit === null) return 0
  let used = seconds.reduce((sum, second) => sum + amountOf(second), 0)
  let from = 0
  for (const second of seconds) {
    if (used + more <= limit) break
    used -= amountOf(second)
    from = expiryOf(second)
  }
  return from
}

function withSent(seconds: readonly SentInSecond[], tokens: number, now: number): readonly SentInSecond[] {
  const at = secondOf(now)
  const last = seconds.at(-1)
  if (last === undefined || last.at < at) return [...seconds, { at, requests: 1, tokens }]
  return [...seconds.slice(0, -1), { ...last, requests: last.requests + 1, tokens: last.tokens + tokens }]
}
