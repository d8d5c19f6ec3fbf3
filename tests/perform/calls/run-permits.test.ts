import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { noRunCaps } from '../../../src/define/limits.ts'
import { LimitReached, type PermitAsk, type Permits } from '../../../src/define/permits.ts'
import { type Job, nothingSpent } from '../../../src/define/run.ts'
import { runPermits } from '../../../src/perform/calls/run-permits.ts'
import { noLimits } from '../support.ts'

const never = new AbortController().signal
const ask = (more: Partial<PermitAsk> = {}): PermitAsk => ({
  ...{ provider: 'sim', key: 'k', model: 'm', tokens: 10, usd: 0.4 },
  ...more,
})
const free = { run_budget_usd: null, ...noRunCaps, spent: nothingSpent }
const took = (usd: number | null) => ({ tokens: 5, usd, rate_limited: null })

describe("a run's own limits, without a journal", () => {
  it('admit calls while there is room, and refuse one that might exceed the cap', async () => {
    const permits = runPermits({ ...free, run_budget_usd: 1 }, noLimits())
    for (const usd of [0.4, 0.3]) permits.settle(await permits.acquire(ask(), never), took(usd))
    await expect(permits.acquire(ask(), never)).rejects.toMatchObject({ limit: 'run_budget_usd', at: 1 })
    // A smaller one fits, and one that is free in any case.
    permits.settle(await permits.acquire(ask({ usd: 0.3 }), never), took(0.3))
    await permits.acquire(ask({ usd: 0 }), never)
  })

  it('count the usage of earlier attempts', async () => {
    const spent = { usd: 0.7, calls: 2, tokens: 95 }
    const of = (limits: Partial<Job>) => runPermits({ ...free, ...limits, spent }, noLimits()).acquire(ask(), never)
    await expect(of({ run_budget_usd: 1 })).rejects.toMatchObject({ limit: 'run_budget_usd' })
    await expect(of({ run_calls: 2 })).rejects.toMatchObject({ limit: 'run_calls' })
    await expect(of({ run_tokens: 100 })).rejects.toMatchObject({ limit: 'run_tokens' })
    await expect(of({ run_budget_usd: 1.1, run_calls: 3, run_tokens: 105 })).resolves.toMatchObject({ ask: ask() })
  })

  it('make a call wait while another may free room, until the run is ended', async () => {
    const permits = runPermits({ ...free, run_budget_usd: 0.6 }, noLimits())
    const first = await permits.acquire(ask(), never)
    const got: string[] = []
    const stop = new AbortController()
    const waits = permits.acquire(ask(), never).then(permit => got.push(`permit ${permit.id}`))
    const givesUp = permits.acquire(ask({ usd: 0.5 }), stop.signal)
    stop.abort(new Error('ended'))
    await expect(givesUp).rejects.toThrow('ended')
    await setImmediate()
    expect(got).toEqual([])
    permits.settle(first, took(0.1))
    await waits
    expect(got).toEqual(['permit 2'])
  })

  it('count a call of unknown cost at its upper bound', async () => {
    const permits = runPermits({ ...free, run_budget_usd: 0.7 }, noLimits())
    permits.settle(await permits.acquire(ask(), never), took(null))
    await expect(permits.acquire(ask(), never)).rejects.toThrow(LimitReached)
  })

  it('release a call that is refused later', async () => {
    let isFull = true
    const beyond: Permits = {
      acquire: async asked => {
        if (isFull) throw new LimitReached('budget_usd', 'nothing is left', 5)
        return { id: 1, ask: asked }
      },
      settle() {},
    }
    const permits = runPermits({ ...free, run_calls: 1 }, beyond)
    await expect(permits.acquire(ask(), never)).rejects.toMatchObject({ limit: 'budget_usd' })
    isFull = false
    await permits.acquire(ask(), never)
    await expect(permits.acquire(ask(), never)).rejects.toMatchObject({ limit: 'run_calls' })
  })
})
