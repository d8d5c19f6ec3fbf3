import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RateLimit } from '../../../src/define/limit-kinds.ts'
import { admit, afterCall, type EndedCall, rateAt, sinceBoot } from '../../../src/engine/permits/rate-rules.ts'
import { type RateState, unusedRate } from '../../../src/record/rates/rate-store.ts'

const limitOf = (more: Partial<RateLimit>): RateLimit => ({ rpm: null, tpm: null, concurrency: null, ...more })

/** Sends as soon as it may, one call after the other: when each was sent. */
function send(limit: RateLimit, tokens: readonly number[], start = 1_000_000): { at: number; tokens: number }[] {
  let state = unusedRate
  let now = start
  return tokens.map(size => {
    for (;;) {
      const answer = admit(state, limit, { tokens: size, underWay: 0 }, now)
      if (answer.kind === 'go') {
        state = answer.state
        return { at: now, tokens: size }
      }
      expect(answer.until).toBeGreaterThan(now)
      now = answer.until ?? now
    }
  })
}

describe('requests and tokens a minute', () => {
  it('admits as many as fit, and the next one as soon as the first expires', () => {
    const sent = send(limitOf({ rpm: 3 }), [1, 1, 1, 1], 1_000_400)
    // Counted by whole seconds, on the safe side.
    expect(sent.map(({ at }) => at - 1_000_400)).toEqual([0, 0, 0, 60_600])
  })

  it('counts a call with its maximum tokens', () => {
    const sent = send(limitOf({ tpm: 100 }), [60, 40, 1], 1_000_000)
    expect(sent.map(({ at }) => at - 1_000_000)).toEqual([0, 0, 61_000])
  })

  it('admits a call larger than a whole minute alone', () => {
    const sent = send(limitOf({ tpm: 100 }), [10, 500, 10])
    expect(sent.map(({ at }) => at - 1_000_000)).toEqual([0, 61_000, 122_000])
  })

  it('never exceeds the rate in any sixty seconds', () => {
    const asked = fc.record({
      rpm: fc.integer({ min: 1, max: 20 }),
      tpm: fc.integer({ min: 50, max: 500 }),
      tokens: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 }),
      start: fc.integer({ min: 0, max: 5000 }),
    })
    fc.assert(
      fc.property(asked, ({ rpm, tpm, tokens, start }) => {
        const sent = send(limitOf({ rpm, tpm }), tokens, 1_000_000 + start)
        for (const { at: from } of sent) {
          const inMinute = sent.filter(({ at }) => at >= from && at < from + 60_000)
          expect(inMinute.length).toBeLessThanOrEqual(rpm)
          const sum = inMinute.reduce((total, call) => total + Math.min(tpm, call.tokens), 0)
          expect(sum).toBeLessThanOrEqual(tpm)
        }
      }),
      { seed: 1 },
    )
  })

  it('after a reboot counts earlier calls as sent just now, and waits no longer', () => {
    const first = sinceBoot(unusedRate, 'one', 10_000_000)
    const answer = admit(first, limitOf({ rpm: 1 }), { tokens: 1, underWay: 0 }, 10_000_000)
    if (answer.kind !== 'go') throw new Error('it is the first')
    const restarted = sinceBoot({ ...answer.state, blocked_until: 10_020_000 }, 'two', 3_000)
    expect(restarted).toMatchObject({ boot: 'two', blocked_until: 23_000 })
    const back = admit(sinceBoot(answer.state, 'two', 3_000), limitOf({ rpm: 1 }), { tokens: 1, underWay: 0 }, 3_000)
    expect(back).toMatchObject({ kind: 'wait', until: 64_000 })
    expect(sinceBoot(answer.state, 'one', 3_000)).toBe(answer.state)
  })
})

const ended = (more: Partial<EndedCall> = {}): EndedCall => ({
  sentAt: 1_000_000,
  counted: 10,
  tokens: 10,
  complaint: null,
  underWay: 8,
  ...more,
})
const complaint = { retry_after_ms: null }

/** Ends call after call, a millisecond apart, and returns the decisions. */
function end(state: RateState, calls: readonly EndedCall[], now = 1_001_000, random = 0.5) {
  const decisions: unknown[] = []
  let current = state
  calls.forEach((call, index) => {
    const after = afterCall(current, limitOf({}), call, now + index, random)
    current = after.state
    decisions.push(...after.decisions)
  })
  return { state: current, decisions }
}

describe('after a call', () => {
  it('frees unused tokens', () => {
    const sent = admit(unusedRate, limitOf({ tpm: 100 }), { tokens: 90, underWay: 0 }, 1_000_000)
    if (sent.kind !== 'go') throw new Error('it is the first')
    const { state } = afterCall(sent.state, limitOf({ tpm: 100 }), ended({ counted: 90, tokens: 15 }), 1_002_000, 0)
    expect(admit(state, limitOf({ tpm: 100 }), { tokens: 85, underWay: 0 }, 1_002_000).kind).toBe('go')
    expect(admit(state, limitOf({ tpm: 100 }), { tokens: 86, underWay: 0 }, 1_002_000).kind).toBe('wait')
  })

  it('a complaint halves concurrency once for all calls in progress', () => {
    const { state, decisions } = end(unusedRate, Array(8).fill(ended({ complaint })))
    expect(decisions).toEqual([
      { kind: 'cut', from: 8, to: 4 },
      { kind: 'wait', ms: 1000, asked: false },
    ])
    expect(state).toMatchObject({ ceiling: 4, episodes: 1, blocked_until: 1_002_000 })
  })

  it('a complaint about a call sent after the cut is another episode: half again, and twice the wait', () => {
    const first = end(unusedRate, [ended({ complaint })]).state
    const { decisions } = end(first, [ended({ complaint, sentAt: 1_003_000, underWay: 4 })], 1_004_000)
    expect(decisions).toEqual([
      { kind: 'cut', from: 4, to: 2 },
      { kind: 'wait', ms: 2000, asked: false },
    ])
  })

  it('never goes below one at a time, nor waits longer than a minute by itself', () => {
    let state = unusedRate
    let waited = 0
    for (let episode = 0; episode < 20; episode++) {
      const sentAt = state.blocked_until + 1000
      const after = afterCall(state, limitOf({}), ended({ complaint, sentAt, underWay: 1 }), sentAt + 10, 0.999)
      waited = after.state.blocked_until - (sentAt + 10)
      state = after.state
    }
    expect(state.ceiling).toBe(1)
    expect(waited).toBeLessThanOrEqual(75_000)
    expect(waited).toBeGreaterThan(60_000)
  })

  it('makes all calls wait at least as long as requested', () => {
    const { state, decisions } = end(
      unusedRate,
      [ended({ complaint: { retry_after_ms: 5000 } }), ended({ complaint: { retry_after_ms: 20_000 } })],
      1_001_000,
      0.5,
    )
    expect(decisions).toEqual([
      { kind: 'cut', from: 8, to: 4 },
      { kind: 'wait', ms: 5250, asked: true },
      { kind: 'wait', ms: 21_000, asked: true },
    ])
    const asked = admit(state, limitOf({}), { tokens: 1, underWay: 0 }, 1_010_000)
    expect(asked).toEqual({ kind: 'wait', until: 1_022_001, why: 'blocked' })
    expect(admit(state, limitOf({}), { tokens: 1, underWay: 0 }, 1_022_001).kind).toBe('go')
  })

  it('successful calls raise it by about one per round, and report when it is restored', () => {
    const cut = end(unusedRate, [ended({ complaint })]).state
    const calm = (count: number, underWay: number) =>
      end(cut, Array(count).fill(ended({ sentAt: 1_010_000, underWay })), 1_010_100)
    expect(Math.floor(calm(4, 4).state.ceiling ?? 0)).toBe(4)
    expect(Math.floor(calm(5, 4).state.ceiling ?? 0)).toBe(5)
    expect(calm(5, 4).state.episodes).toBe(0)
    expect(calm(40, 8).decisions).toEqual([{ kind: 'regrown', to: 8 }])
    // Whether more would fit has not been tried.
    expect(calm(40, 1).state.ceiling).toBe(4)
  })

  it('forgets the ceiling after ten minutes without complaints', () => {
    const cut = end(unusedRate, [ended({ complaint: { retry_after_ms: 3_600_000 } })]).state
    expect(rateAt(cut, 1_100_000)).toMatchObject({ ceiling: 4, complained_at_once: 8 })
    const later = rateAt(cut, 1_001_000 + 11 * 60_000)
    expect(later).toMatchObject({ ceiling: null, complained_at_once: null, episodes: 0 })
    // Its own request still applies.
    expect(later.blocked_until).toBe(cut.blocked_until)
  })

  it('admits as many at once as the ceiling and the limit allow', () => {
    const asks = (state: RateState, limit: RateLimit, underWay: number) =>
      admit(state, limit, { tokens: 1, underWay }, 1_100_000).kind
    const cut = end(unusedRate, [ended({ complaint })]).state
    expect([asks(cut, limitOf({}), 3), asks(cut, limitOf({}), 4)]).toEqual(['go', 'wait'])
    expect([asks(cut, limitOf({ concurrency: 2 }), 1), asks(cut, limitOf({ concurrency: 2 }), 2)]).toEqual([
      'go',
      'wait',
    ])
    expect(asks(unusedRate, limitOf({ concurrency: 9 }), 8)).toBe('go')
  })
})
