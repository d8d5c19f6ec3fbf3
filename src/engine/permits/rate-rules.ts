import type { RateLimit } from '../../define/limits.ts'
import type { RateState, SentInSecond } from '../../record/rates/rate-store.ts'

/** The present state: what is older than a minute is forgotten. */
export function rateAt(state: RateState, now: number): RateState {
  const isForgotten = now - state.at > forgetAfterMs
  return {
    ...state,
    at: now,
    seconds: state.seconds.filter(second => expiryOf(second) > now),
    ...(isForgotten && { ceiling: null, complained_at_once: null, episodes: 0 }),
  }
}

/**
 * The state in times of this boot. Times of another boot or machine can't be compared with them: how long ago they were
 * is unknown, so to be safe they count as just now.
 */
export function sinceBoot(state: RateState, boot: string, now: number): RateState {
  if (state.boot === boot) return state
  const later = now - state.at
  return {
    ...state,
    boot,
    at: now,
    seconds: state.seconds.map(second => ({ ...second, at: second.at + later })),
    blocked_until: state.blocked_until + later,
    // 0: it was never cut.
    cut_at: state.cut_at === 0 ? 0 : state.cut_at + later,
  }
}

/** How busy a provider was then says nothing about now. */
const forgetAfterMs = 10 * 60_000

/** When a second's calls stop counting: a minute after the last moment at which they may have been sent. */
const expiryOf = (second: SentInSecond): number => second.at + secondMs + minuteMs

const secondMs = 1000
const minuteMs = 60_000

/** The start of the second that contains a moment. */
const secondOf = (now: number): number => Math.floor(now / secondMs) * secondMs

/** Calls under way of all living workers. */
export function underWay(state: RateState, isAlive: (worker: string) => boolean): number {
  return Object.entries(state.under_way).reduce((sum, [worker, calls]) => sum + (isAlive(worker) ? calls : 0), 0)
}

export type Admission =
  | { readonly kind: 'go'; readonly state: RateState }
  /** `until` is null if only the end of a call under way makes room. */
  | { readonly kind: 'wait'; readonly until: number | null; readonly why: 'blocked' | 'rate' | 'concurrency' }

/**
 * Whether a call may be sent now. Any sixty seconds contain at most `rpm` requests and `tpm` tokens: a window that
 * slides by whole seconds, rounded to the safe side. Until a call has ended, its tokens count as the most that it can
 * use. A call larger than a minute's tokens is sent alone. Pure.
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

/** How many calls at once; at least one, or it would never grow again. */
export function ceilingOf(state: RateState, { concurrency }: RateLimit): number {
  const ceiling = Math.min(concurrency ?? Number.POSITIVE_INFINITY, state.ceiling ?? Number.POSITIVE_INFINITY)
  return Math.max(1, Math.floor(ceiling))
}

/** When so much more fits: as soon as enough of the oldest seconds have stopped counting. */
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

/** An ended call, as its rate sees it. */
export interface EndedCall {
  readonly sentAt: number
  /** The tokens counted when it was sent, and those finally used. */
  readonly counted: number
  readonly tokens: number
  readonly complaint: { readonly retry_after_ms: number | null } | null
  /** Calls under way, including this one. */
  readonly underWay: number
}

/** A decision, for the log and for people. */
export type RateDecision =
  | { readonly kind: 'cut'; readonly from: number; readonly to: number }
  | { readonly kind: 'wait'; readonly ms: number; readonly asked: boolean }
  | { readonly kind: 'regrown'; readonly to: number }

const firstWaitMs = 1000
const longestWaitMs = 60_000

/**
 * What the end of a call says about the rate. Tokens that it did not use are free again. On a complaint, concurrency is
 * halved once per episode, and all calls wait: as long as the provider says, otherwise one second, doubling from
 * episode to episode. Successful calls let it grow again, by about one for each round of calls: additive increase,
 * multiplicative decrease (Chiu and Jain 1989). `random` in [0, 1) spreads the returns. Pure.
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

/** Only calls that used the whole ceiling show that it may be higher. */
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
  // Never sooner than requested; each a little later, so that several programs do not return together.
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
