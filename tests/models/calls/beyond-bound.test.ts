import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Permit, PermitAsk, Settlement } from '../../../src/define/permits.ts'
import { BeyondBound } from '../../../src/models/calls/beyond-bound.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { type Bill, startBillingServer } from '../billing-server.ts'
import { CountedPermits, call, calm } from '../support.ts'

const opened = async (
  bill: (nth: number) => Bill,
  price: ModelSettings[string]['price'],
  beyond?: Map<string, string>,
) => {
  const server = await startBillingServer((_, nth) => ({ kind: 'answer', bill: bill(nth) }))
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address: `${server.url}/v1`, price } }
  const notices: string[] = []
  const models = openModels({ env: {}, settings, beyond, onNotice: notice => notices.push(notice) })
  return { server, models, notices }
}

const price = [{ above: 0, input: 1, output: 10 }]

describe('a provider that bills beyond what it was asked for', () => {
  it('is believed: later calls of any length reserve accordingly', async () => {
    const { models, notices } = await opened(() => ({ input: 10, output: 900 }), price)
    const permits = new CountedPermits()
    const client = models.client({ permits, seed: 1 })
    for (const max_output_tokens of [100, 100, 1000, 10]) await client.call(call('m', { max_output_tokens }), calm())
    const outputs = permits.asked.map(({ tokens }) => tokens - (permits.asked[0]?.tokens ?? 0) + 100)
    expect(outputs).toEqual([100, 900, 1800, 900])
    expect(permits.settled.map(({ usd, ask }) => (usd ?? 0) > (ask.usd ?? 0))).toEqual([true, false, false, false])
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(
      /^m: openai-compatible billed 10 input and 900 output tokens where at most \d+ and 100 were expected, \$0\.00\d+ more than was set aside for it; later calls of this model reserve as much$/,
    )
  })

  it('also for input', async () => {
    const { models } = await opened(() => ({ input: 4000, output: 1 }), price)
    const permits = new CountedPermits()
    const client = models.client({ permits, seed: 1 })
    for (let nth = 0; nth < 2; nth++) await client.call(call('m'), calm())
    expect(permits.asked[1]?.tokens).toBeGreaterThanOrEqual(4001)
  })

  it('is known to other processes', async () => {
    const beyond = new Map<string, string>()
    const first = await opened(() => ({ input: 10, output: 900 }), price, beyond)
    await first.models.client({ permits: new CountedPermits(), seed: 1 }).call(call('m'), calm())
    const second = await opened(() => ({ input: 10, output: 900 }), price, beyond)
    const permits = new CountedPermits()
    await second.models.client({ permits, seed: 1 }).call(call('m'), calm())
    expect(permits.settled[0]?.usd).toBeLessThanOrEqual(permits.settled[0]?.ask.usd ?? 0)
    expect(second.notices).toEqual([])
  })

  it('makes a waiting call request its permit again, without counting it twice', async () => {
    const { models, server } = await opened(() => ({ input: 10, output: 900 }), price)
    const asked: PermitAsk[] = []
    const settled: Settlement[] = []
    let release = (): void => {}
    const isSettled = new Promise<void>(resolve => {
      release = resolve
    })
    const permits = {
      async acquire(ask: PermitAsk): Promise<Permit> {
        asked.push(ask)
        const id = asked.length
        // The second waits for the first to be over.
        if (id === 2) await isSettled
        return { id, ask }
      },
      settle(_: Permit, actual: Settlement): void {
        settled.push(actual)
        release()
      },
    }
    const client = models.client({ permits, seed: 1 })
    await Promise.all([client.call(call('m'), calm()), client.call(call('m'), calm())])
    expect(server.asked).toHaveLength(2)
    expect(asked).toHaveLength(3)
    expect(settled.map(({ is_unsent = false }) => is_unsent)).toEqual([false, true, false])
    expect(asked[2]?.usd).toBeGreaterThan(asked[1]?.usd ?? 0)
  })
})

it('any earlier bill fits into the reservation of the same call', () => {
  const tokens = fc.nat(100_000)
  fc.assert(
    fc.property(
      fc.array(fc.record({ limit: tokens, input: tokens, billedInput: tokens, billedOutput: tokens, dear: fc.nat(3) })),
      bills => {
        const beyond = new BeyondBound('m', new Map())
        const usdOf = ({ input, output }: { input: number; output: number }) => (input + output * 5) / 1e6
        for (const { limit, input, billedInput, billedOutput, dear } of bills) {
          const asked = { input: input + 1, output: limit }
          const cost_usd = usdOf({ input: billedInput, output: billedOutput }) * dear
          const usage = {
            input_tokens: billedInput,
            output_tokens: billedOutput,
            cached_input_tokens: 0,
            cache_write_tokens: 0,
            reasoning_tokens: 0,
          }
          beyond.saw({ asked, usage, cost_usd, usdOf })
          const raised = beyond.raise(asked)
          expect(raised.input).toBeGreaterThanOrEqual(billedInput)
          expect(raised.output).toBeGreaterThanOrEqual(billedOutput)
          expect(beyond.raiseUsd(usdOf(raised))).toBeGreaterThanOrEqual(cost_usd - 1e-9)
        }
      },
    ),
    { numRuns: 200, seed: 4 },
  )
})

it('a free model that is billed is no longer treated as free', () => {
  const beyond = new BeyondBound('m', new Map())
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  }
  expect(beyond.raiseUsd(0)).toBe(0)
  beyond.saw({ asked: { input: 5, output: 5 }, usage, cost_usd: 0.25, usdOf: () => 0 })
  expect(beyond.raiseUsd(0)).toBe(0.25)
})
