import * as z from 'zod'

/**
 * How much of a provider's rate is used with one key, and how the provider took it. Plain data: kept in the journal
 * where several processes share it, changed only by the pure functions beside this. Times are milliseconds since 1970.
 */
export interface RateState {
  /** When it was last looked at. A clock that was set back since moves everything with it. */
  readonly at: number
  /** What was sent in each second of the last minute. */
  readonly seconds: readonly SentInSecond[]
  /** Nothing is sent before: the provider asked for it. */
  readonly blocked_until: number
  /** How many calls at once, since the provider complained; null: it has not. Grows by fractions. */
  readonly ceiling: number | null
  /** How many there were at once when it first complained. */
  readonly complained_at_once: number | null
  /** When the ceiling was last cut: complaints about calls that were sent before are the same episode. */
  readonly cut_at: number
  /** Episodes in a row, without a call that went well in between. */
  readonly episodes: number
  /** Calls under way, by the worker that sent them. */
  readonly under_way: { readonly [worker: string]: number }
}

export interface SentInSecond {
  /** When the second began. */
  readonly at: number
  readonly requests: number
  readonly tokens: number
}

/** As it is read back from where it is kept. */
export const rateStateSchema: z.ZodType<RateState> = z.object({
  at: z.number(),
  seconds: z.array(z.object({ at: z.number(), requests: z.number(), tokens: z.number() })),
  blocked_until: z.number(),
  ceiling: z.number().nullable(),
  complained_at_once: z.number().nullable(),
  cut_at: z.number(),
  episodes: z.number(),
  under_way: z.record(z.string(), z.number()),
})

export const unusedRate: RateState = {
  at: 0,
  seconds: [],
  blocked_until: 0,
  ceiling: null,
  complained_at_once: null,
  cut_at: 0,
  episodes: 0,
  under_way: {},
}

/** The state as it is now: what is older than a minute is forgotten, and a clock that was set back does no harm. */
export function rateAt(state: RateState, now: number): RateState {
  const back = Math.min(0, now - state.at)
  const isForgotten = now - state.at > forgetAfterMs
  const seconds = state.seconds
    .map(second => (back === 0 ? second : { ...second, at: second.at + back }))
    .filter(second => expiryOf(second) > now)
  return {
    ...state,
    at: now,
    seconds,
    blocked_until: state.blocked_until + back,
    cut_at: state.cut_at + back,
    ...(isForgotten && { ceiling: null, complained_at_once: null, episodes: 0 }),
  }
}

/** How busy a provider was then says nothing about now. */
const forgetAfterMs = 10 * 60_000

/** From when on a second's calls no longer count: a minute after the last moment at which they may have been sent. */
export const expiryOf = (second: SentInSecond): number => second.at + secondMs + minuteMs

const secondMs = 1000
const minuteMs = 60_000

/** The beginning of the second that a moment lies in. */
export const secondOf = (now: number): number => Math.floor(now / secondMs) * secondMs

/** Calls under way of all workers that still live. */
export function underWay(state: RateState, isAlive: (worker: string) => boolean): number {
  return Object.entries(state.under_way).reduce((sum, [worker, calls]) => sum + (isAlive(worker) ? calls : 0), 0)
}
