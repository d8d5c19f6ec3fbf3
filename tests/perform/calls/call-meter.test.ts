import { describe, expect, it } from 'vitest'
import type { Settlement } from '../../../src/define/permits.ts'
import type { Point } from '../../../src/define/target.ts'
import { CallMeter } from '../../../src/perform/calls/call-meter.ts'
import { noLimits } from '../support.ts'

const ask = { provider: 'sim', key: 'none', model: 'm', tokens: 10, usd: 0.4 as number | null }
const took = (usd: number | null, rate_limited: Settlement['rate_limited'] = null) => ({ tokens: 5, usd, rate_limited })

/** A meter and its reports. */
function metered() {
  const points: Point[] = []
  const reasons: string[] = []
  const meter = new CallMeter(
    noLimits(),
    point => points.push(point),
    reason => reasons.push(reason),
  )
  const { signal } = new AbortController()
  return {
    meter,
    reasons,
    costs: () => points.map(({ metric, value }) => (metric === 'cost_usd' ? value : metric)),
    call: async (settled: Settlement | null, usd: number | null = 0.4) => {
      const permit = await meter.acquire({ ...ask, usd }, signal)
      if (settled !== null) meter.settle(permit, settled)
      return permit
    },
  }
}

describe('the cost of a run is that of its calls', () => {
  it('counts real costs, each once', async () => {
    const { meter, call, costs } = metered()
    await call(took(0.1))
    const permit = await call(took(0.2))
    meter.settle(permit, took(0.2))
    meter.close('per_call')
    expect([costs(), meter.hasAssumed]).toEqual([[0.1, 0.2], false])
  })

  it('counts the upper bound of unknown costs, or unknown without a bound', async () => {
    const { meter, call, costs, reasons } = metered()
    await call(took(null))
    expect([costs(), meter.hasAssumed, reasons]).toEqual([[0.4], true, []])
    await call(took(null), null)
    expect([costs(), reasons]).toEqual([[0.4], ['the price of m is unknown; give it a price under models']])
  })

  it('counts calls left in progress at their upper bound', async () => {
    const { meter, call, costs } = metered()
    await call(null)
    meter.close('per_call')
    expect([costs(), meter.hasAssumed]).toEqual([[0.4], true])
  })

  it('ignores refused calls; a run without calls costs nothing if it can’t spend otherwise', async () => {
    const turned = metered()
    await turned.call(took(0, { retry_after_ms: null }))
    turned.meter.close('per_call')
    expect(turned.costs()).toEqual([0])
    const command = metered()
    command.meter.close('unknown')
    expect(command.costs()).toEqual([])
  })
})
