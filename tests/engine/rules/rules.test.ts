import { describe, expect, it } from 'vitest'
import { type Limits, limitsInForce } from '../../../src/define/limits.ts'
import { exitCodeOf, type Outcome, type Summary } from '../../../src/define/outcome.ts'
import type { Bound } from '../../../src/define/target.ts'
import { type AttemptEnd, afterAttempt } from '../../../src/engine/rules/after-attempt.ts'
import { haltReason, runCap } from '../../../src/engine/rules/limits.ts'
import { type Asked, nextAction } from '../../../src/engine/rules/next-action.ts'
import type { RunStanding } from '../../../src/record/read/standing.ts'
import type { RunHistory } from '../../../src/record/runs/settle.ts'
import { jobWith } from '../../perform/support.ts'
import { experimentWith } from '../../plan/experiment.ts'

const limits: Limits = {
  ...experimentWith({}).limits,
  retries: { failed: 2, timed_out: 0, infra_error: 3, rate_limited: 5, backoff_ms: 1000 },
}

describe('after an attempt', () => {
  const untried: RunHistory = { mode: 'run', retries: {}, failure: null, failures: 0 }
  const becomes = (outcome: Outcome, history = untried, more: Partial<AttemptEnd> = {}) =>
    afterAttempt(
      {
        job: jobWith({ timeout_ms: 5000, run_budget_usd: 2 }),
        outcome,
        hasSpent: true,
        limits,
        elapsed: 10_000,
        giveBack: false,
        ...more,
      },
      history,
    )

  it.each(['completed', 'stopped_early'] as const)('%s: it is finished, and earlier failures are forgotten', kind => {
    const next = becomes({ kind }, { ...untried, retries: { failed: 1 }, failure: 'failed:exit_7', failures: 1 })
    expect(next).toMatchObject({ state: 'finished', failure: null, failures: 0 })
  })

  it('the wait stays a number after any number of retries', () => {
    const patient = { limits: { ...limits, retries: { ...limits.retries, failed: 5000, backoff_ms: 0 } } }
    const next = becomes({ kind: 'failed', exit_code: 7 }, { ...untried, retries: { failed: 1500 } }, patient)
    expect(next).toMatchObject({ state: 'ready', readyAt: 10_000 })
  })

  it('a failure with retries left: ready again later, by half to one and a half of the back-off, doubling', () => {
    for (const [used, least] of [
      [0, 500],
      [1, 1000],
    ] as const) {
      const next = becomes({ kind: 'failed', exit_code: 7 }, { ...untried, retries: { failed: used } })
      expect(next).toMatchObject({ state: 'ready', retries: { failed: used + 1 } })
      expect(next.readyAt).toSatisfy((at: number) => at >= 10_000 + least && at <= 10_000 + 3 * least)
      expect(Number.isInteger(next.readyAt)).toBe(true)
    }
  })

  it('runs that failed together are not retried together', () => {
    const returns = ['a', 'b', 'c', 'd'].map(key => {
      const end = {
        job: jobWith({ run: { key } }),
        outcome: { kind: 'failed' },
        hasSpent: false,
        limits,
        elapsed: 0,
        giveBack: false,
      } as const
      return afterAttempt(end, untried).readyAt
    })
    expect(new Set(returns).size).toBe(4)
  })

  it('a failure without retries left stays, class by class', () => {
    expect(becomes({ kind: 'failed' }, { ...untried, retries: { failed: 2 } }).state).toBe('finished')
    expect(becomes({ kind: 'timed_out' })).toMatchObject({ state: 'finished', cutAt: 5000 })
    expect(becomes({ kind: 'infra_error' }, { ...untried, retries: { failed: 9 } }).state).toBe('ready')
  })

  it('the same failure as often as quarantine_after says: quarantined; another failure counts anew', () => {
    const twice: RunHistory = { ...untried, failure: 'failed:exit_7', failures: 2 }
    expect(becomes({ kind: 'failed', error_class: 'exit_7' }, twice).state).toBe('quarantined')
    expect(becomes({ kind: 'failed', error_class: 'exit_8' }, twice)).toMatchObject({ state: 'ready', failures: 1 })
  })

  it('cut by its cap: finished, and the limit is remembered', () => {
    expect(becomes({ kind: 'cost_limited' })).toMatchObject({ state: 'finished', cutAt: 2 })
    const calls = { kind: 'cost_limited', limit: 'run_calls', limit_at: 50 } as const
    expect(becomes(calls)).toMatchObject({ state: 'finished', cutAt: 50 })
  })

  it("cut by the experiment's budget: finished if it has cost anything, otherwise as good as never started", () => {
    const cut = { kind: 'cost_limited', limit: 'budget_usd', limit_at: 5 } as const
    expect(becomes(cut)).toMatchObject({ state: 'finished', cutAt: 5 })
    expect(becomes(cut, untried, { hasSpent: false })).toMatchObject({ state: 'ready', readyAt: 0 })
  })

  it('cut for a missing price: finished until the next call, which would not start without one', () => {
    expect(becomes({ kind: 'cost_limited', limit: 'unknown_price' })).toMatchObject({ state: 'finished', cutAt: 0 })
  })

  it('cancelled: waits for the next call, or goes back to the other workers at once', () => {
    expect(becomes({ kind: 'cancelled' }).state).toBe('finished')
    expect(becomes({ kind: 'cancelled' }, untried, { giveBack: true }).state).toBe('ready')
  })

  it('lost with its process: ready again at once, then after a wait that doubles, then quarantined', () => {
    const lost = { kind: 'cancelled', error_class: 'lost' } as const
    const patient = { limits: { ...limits, quarantine_after: 4 } }
    const waits: number[] = []
    let history: RunHistory = untried
    for (let times = 1; times < 4; times++) {
      const next = becomes(lost, history, patient)
      expect(next).toMatchObject({ state: 'ready', failure: 'cancelled:lost', failures: times })
      waits.push(next.readyAt - 10_000)
      history = next
    }
    const [first, second = 0, third = 0] = waits
    expect(first).toBe(0)
    expect(second).toSatisfy((ms: number) => ms >= 500 && ms <= 1500)
    // The jitter follows from run and attempt, which are the same here.
    expect(third).toSatisfy((ms: number) => Math.abs(ms - 2 * second) <= 1)
    expect(becomes(lost, history, patient)).toMatchObject({ state: 'quarantined', failures: 4 })
  })
})

describe('the halt rule', () => {
  it.each([
    [null, { finished: 9, failed: 9 }, null],
    [{ failures: 2 }, { finished: 9, failed: 1 }, null],
    [{ failures: 2 }, { finished: 9, failed: 2 }, '2 runs failed (--halt fail=2)'],
    [{ share: 0.1 }, { finished: 2, failed: 2 }, null],
    [{ share: 0.1 }, { finished: 31, failed: 3 }, null],
    [{ share: 0.1 }, { finished: 30, failed: 3 }, '3 of 30 runs failed, 10% (--halt fail=10%)'],
  ])('%j with %j: %s', (rule, counts, reason) => {
    expect(haltReason(rule, counts)).toBe(reason)
  })
})

describe('the exit code', () => {
  const summary = (states: Partial<Summary>): Summary => {
    const none = { completed: 0, failed: 0, timed_out: 0, cost_limited: 0, rate_limited: 0, stopped_early: 0 }
    const rest = { cancelled: 0, infra_error: 0, quarantined: 0, stale: 0, running: 0, pending: 0 }
    const facts = { dir: '', planned: 0, reused: 0, attempts: 0, cost_usd: 0, overrun_usd: 0, wall_s: 0 }
    return { ...none, ...rest, ...facts, ...states }
  }

  it.each([
    [{ completed: 3 }, false, 0],
    [{ completed: 3, stopped_early: 1 }, false, 0],
    [{ completed: 3, failed: 1 }, false, 1],
    [{ timed_out: 1 }, false, 1],
    [{ infra_error: 1 }, false, 1],
    [{ quarantined: 1 }, false, 1],
    [{ failed: 1, pending: 4 }, false, 1],
    [{ completed: 3, pending: 1 }, false, 3],
    [{ cost_limited: 1 }, false, 3],
    [{ rate_limited: 1 }, false, 3],
    [{ cancelled: 1 }, true, 130],
    [{ failed: 1, pending: 1 }, true, 130],
    [{ completed: 3 }, true, 0],
    [{ failed: 1 }, true, 1],
  ])('of %j, interrupted %s: %i', (states, interrupted, code) => {
    expect(exitCodeOf(summary(states), interrupted)).toBe(code)
  })
})

it('set limits override the configuration, and none removes one', () => {
  const configured = { ...limits, jobs: 2, timeout_ms: 1000 }
  expect(limitsInForce(configured, { jobs: 5, timeout_ms: null })).toEqual({ ...limits, jobs: 5, timeout_ms: null })
})

it('set rates override the configuration, provider by provider', () => {
  const rate = (rpm: number) => ({ rpm, tpm: null, concurrency: null })
  const configured = { ...limits, rate: { openai: rate(500), anthropic: rate(50) } }
  expect(limitsInForce(configured, { rate: { openai: rate(100), anthropic: null } }).rate).toEqual({
    openai: rate(100),
  })
})

it('a cap of 0 declares runs free, but means no cap for runs that only pay for model calls', () => {
  const capped = (run_budget_usd: number | null, bound: Bound) => runCap({ ...limits, run_budget_usd }, bound)
  expect([capped(0, 'unknown'), capped(null, 'unknown'), capped(null, 3), capped(2, 3)]).toEqual([0, null, 3, 2])
  expect([capped(0, 'per_call'), capped(null, 'per_call'), capped(2, 'per_call')]).toEqual([null, null, 2])
})

describe('what the next run does with a run, and why', () => {
  const asked: Asked = {
    limits: { ...limits, timeout_ms: 1000, run_budget_usd: 1, run_calls: 5 },
    bound: 'unknown',
    retryFailed: false,
    fresh: false,
    isNamed: false,
    stale: null,
    change: 'the command changed',
    isCutOff: false,
    lostOutput: null,
  }
  const standing = (state: RunStanding['state'], more: Partial<RunStanding> = {}): RunStanding => ({
    id: 1,
    name: 'a',
    state,
    ended: state === 'stale' ? 'completed' : state,
    fingerprint: null,
    cutAt: null,
    stopped: null,
    limit: null,
    attempts: 1,
    failure: 'failed:exit_7',
    failures: 5,
    outputs: [],
    workerId: 1,
    ...more,
  })
  const says = (of: RunStanding | undefined, more: Partial<Asked> = {}) => {
    const { action, why } = nextAction(of, { ...asked, ...more })
    return `${action}: ${why}`
  }

  it.each([
    [undefined, {}, 'run: it has not been run yet'],
    [standing('ready', { attempts: 0 }), {}, 'run: it has not been run yet'],
    [standing('ready'), {}, 'run: attempt 1 did not finish it'],
    [standing('running'), { fresh: true }, 'leave: it is running now'],
    [
      standing('running'),
      { isCutOff: true },
      'run: attempt 1 was interrupted when its process ended; a result that it left is used',
    ],
    [standing('completed'), {}, 'reuse: it is completed'],
    [standing('completed'), { fresh: true }, 'run: --fresh runs everything again'],
    [standing('completed'), { isNamed: true }, 'run: --rerun names it'],
    [standing('completed'), { lostOutput: 'out/a' }, 'run: its declared output out/a is gone'],
    [standing('failed'), {}, 'leave: it failed; --retry-failed runs it again'],
    [standing('failed'), { retryFailed: true }, 'run: it failed (--retry-failed)'],
    [standing('timed_out', { cutAt: 1000 }), {}, 'leave: its timeout cut it; a higher one runs it again'],
    [standing('timed_out', { cutAt: 999 }), {}, 'run: the timeout that cut it was raised'],
    [standing('timed_out', { cutAt: 1000 }), { retryFailed: true }, 'run: it timed out (--retry-failed)'],
    [standing('cost_limited', { cutAt: 0.5 }), {}, 'run: the run_budget_usd that cut it was raised'],
    [standing('cost_limited', { cutAt: 1 }), {}, 'leave: its run_budget_usd cut it; a higher one runs it again'],
    [standing('cost_limited', { cutAt: 4, limit: 'run_calls' }), {}, 'run: the run_calls that cut it was raised'],
    [standing('cost_limited', { cutAt: 9, limit: 'budget_usd' }), {}, 'run: the budget_usd that cut it was raised'],
    [standing('cost_limited', { cutAt: 0, limit: 'unknown_price' }), {}, 'run: the price that it lacked is there now'],
    [standing('cancelled'), {}, 'run: its last attempt ended as cancelled, which says nothing about the run itself'],
    [standing('stale'), {}, 'refuse: its definition changed: the command changed'],
    [standing('stale'), { stale: 'rerun' }, 'run: its definition changed (--stale rerun): the command changed'],
    [standing('stale'), { stale: 'keep' }, 'reuse: --stale keep accepts it, although the command changed'],
    [
      standing('stale', { ended: 'failed' }),
      { retryFailed: true },
      'run: its last attempt ended as failed (--retry-failed)',
    ],
    [standing('stale', { ended: 'failed' }), { stale: 'keep' }, 'leave: it failed; --retry-failed runs it again'],
    [
      standing('quarantined'),
      { retryFailed: true },
      'leave: it failed the same way 5 times (failed:exit_7); --rerun a tries it again',
    ],
    [standing('stopped_early'), {}, 'leave: it ended as stopped_early'],
  ] as const)('%#: %o %o', (of, more, expected) => {
    expect(says(of, more)).toBe(expected)
  })
})
