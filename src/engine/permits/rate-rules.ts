import type { RateLimit } from '../../define/limits.ts'
import type { RateState, SentInSecond } from '../../record/rates/rate-store.ts'

/** The state as it is now: what is older than a minute is forgotten. */
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
 * The state in times of this start of the machine. Those of another one, or of another machine, can't be compared with
 * them: how long ago is unknown, so on the safe side it was just now.
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
    // 0: it never was.
    cut_at: state.cut_at === 0 ? 0 : state.cut_at + later,
  }
}

/** How busy a provider was then says nothing about now. */
const forgetAfterMs = 10 * 60_000

/** From when on a second's calls no longer count: a minute after the last moment at which they may have been sent. */
const expiryOf = (second: SentInSecond): number => second.at + secondMs + minuteMs

const secondMs = 1000
const minuteMs = 60_000

/** The beginning of the second that a moment lies in. */
const secondOf = (now: number): number => Math.floor(now / secondMs) * secondMs

/** Calls under way of all workers that still live. */
export function underWay(state: RateState, isAlive: (worker: string) => boolean): number {
  return Object.entries(state.under_way).reduce((sum, [worker, calls]) => sum + (isAlive(worker) ? calls : 0), 0)
}

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
