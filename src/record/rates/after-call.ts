import type { RateLimit } from '../../define/rate.ts'
import { type RateState, rateAt, secondOf } from './rate-state.ts'

/** A call that has ended, as far as its rate goes. */
export interface EndedCall {
  readonly sentAt: number
  /** What was counted when it was sent, and what it was in the end. */
  readonly counted: number
  readonly tokens: number
  readonly complaint: { readonly retry_after_ms: number | null } | null
  /** Calls under way, this one included. */
  readonly underWay: number
}

/** What was decided, for the log and for people. */
export type RateDecision =
  | { readonly kind: 'cut'; readonly from: number; readonly to: number }
  | { readonly kind: 'wait'; readonly ms: number; readonly asked: boolean }
  | { readonly kind: 'regrown'; readonly to: number }

const firstWaitMs = 1000
const longestWaitMs = 60_000

/**
 * What a call's end says about the rate. Tokens that it did not take are free again. On a complaint, concurrency is
 * halved once per episode, and everybody waits: as long as the provider says, otherwise a second, doubling from episode
 * to episode. What goes well lets it grow again, by about one for each round of calls: additive increase, multiplicative
 * decrease (Chiu and Jain 1989). `random` in [0, 1) spreads the returns. Pure.
 */
export function afterCall(
  before: RateState,
  limit: RateLimit,
  call: EndedCall,
  now: number,
  random: number,
): { readonly state: RateState; readonly decisions: readonly RateDecision[] } {
  const state = withTokens(rateAt(before, now), call, limit)
  return call.complaint === null
    ? afterSuccess(state, call)
    : afterComplaint(state, call, call.complaint.retry_after_ms, now, random)
}

function withTokens(state: RateState, { sentAt, counted, tokens }: EndedCall, { tpm }: RateLimit): RateState {
  const actual = tpm === null ? tokens : Math.min(tokens, tpm)
  if (actual === counted) return state
  const second = secondOf(sentAt)
  const seconds = state.seconds.map(one =>
    one.at === second ? { ...one, tokens: Math.max(0, one.tokens + actual - counted) } : one,
  )
  return { ...state, seconds }
}

/** Only calls that used the ceiling show that it may be higher. */
function afterSuccess(state: RateState, { underWay }: EndedCall): ReturnType<typeof afterCall> {
  const calm = state.episodes === 0 ? state : { ...state, episodes: 0 }
  if (state.ceiling === null || underWay < state.ceiling / 2) return { state: calm, decisions: [] }
  const ceiling = state.ceiling + 1 / state.ceiling
  const full = state.complained_at_once
  const isRegrown = full !== null && state.ceiling < full && ceiling >= full
  return {
    state: { ...calm, ceiling },
    decisions: isRegrown ? [{ kind: 'regrown', to: Math.floor(ceiling) }] : [],
  }
}

function afterComplaint(
  state: RateState,
  { sentAt, underWay }: EndedCall,
  retryAfterMs: number | null,
  now: number,
  random: number,
): ReturnType<typeof afterCall> {
  const isNew = sentAt > state.cut_at
  const episodes = state.episodes + (isNew ? 1 : 0)
  const own = Math.min(longestWaitMs, firstWaitMs * 2 ** (episodes - 1)) * (0.75 + random / 2)
  // Never sooner than was asked for; a little later each, so that several programs do not return together.
  const waitMs = Math.round(retryAfterMs === null ? (isNew ? own : 0) : retryAfterMs * (1 + random / 10))
  const blocked_until = Math.max(state.blocked_until, now + waitMs)
  const isLonger = blocked_until > state.blocked_until
  const wait: readonly RateDecision[] = isLonger ? [{ kind: 'wait', ms: waitMs, asked: retryAfterMs !== null }] : []
  if (!isNew) return { state: { ...state, blocked_until }, decisions: isLonger && retryAfterMs !== null ? wait : [] }
  const from = Math.max(1, Math.min(underWay, Math.floor(state.ceiling ?? Number.POSITIVE_INFINITY)))
  const to = Math.max(1, Math.floor(from / 2))
  const cut: readonly RateDecision[] = to < from ? [{ kind: 'cut', from, to }] : []
  return {
    state: {
      ...state,
      blocked_until,
      episodes,
      cut_at: now,
      ceiling: to,
      complained_at_once: Math.max(from, state.complained_at_once ?? 0),
    },
    decisions: [...cut, ...wait],
  }
}
