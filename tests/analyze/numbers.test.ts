import { describe, expect, it } from 'vitest'
import { amountText, isMoney, writingOf } from '../../src/util/words.ts'

describe('money', () => {
  it.each(['cost_usd', 'usd', 'usd_per_task', 'total_cost_USD', 'costUsd', 'judge/usd', 'cost_usd+wall_s'])(
    'is %s',
    name => expect(isMoney(name)).toBe(true),
  )

  it.each(['cost', 'cost_mean', 'costs', 'price', 'spend', 'fusd', 'usdt_volume'])(
    'is not %s without a unit in its name',
    name => expect(isMoney(name)).toBe(false),
  )

  it('has a dollar sign, and a cost in another currency has none', () => {
    expect(amountText('cost_usd')(0.41)).toBe('$0.41')
    expect(amountText('cost_mean')(0.41)).toBe('0.410')
  })
})

describe('numbers with an interval', () => {
  const makespan = (low: number, high: number) => writingOf({ metric: 'makespan_ms', yes_no: false, ci: { low, high } })

  it('have three digits', () => {
    const { value, difference, bound } = makespan(22_412, 42_507)
    expect(difference(31_470)).toBe('31.5 s')
    expect([22_412, 42_507].map(bound)).toEqual(['22.4 s', '42.5 s'])
    expect(value(127_316.2)).toBe('127 s')
  })

  it('keep the digits that a narrow interval needs', () => {
    const { bound } = makespan(1_611_485, 1_612_485)
    expect([1_611_485, 1_612_485].map(bound)).toEqual(['26.858 min', '26.875 min'])
  })

  it('lose none of their first three digits, however wide it is', () => {
    expect(makespan(-200_000, 900_000).bound(812)).toBe('812 ms')
  })

  it('are times in readable units, the same for both ends of an interval', () => {
    const ms = amountText('wait_ms')
    expect([0, 0.4, 812, 999.6, 17_300, 599_000, 600_000, 11e6].map(ms)).toEqual([
      '0 s',
      '0.400 ms',
      '812 ms',
      '1.00 s',
      '17.3 s',
      '599 s',
      '10.0 min',
      '3.06 h',
    ])
    expect([0.0042, -90, 1800].map(amountText('wall_s'))).toEqual(['4.20 ms', '−90.0 s', '30.0 min'])
    expect([900, 1500].map(makespan(900, 1500).bound)).toEqual(['0.900 s', '1.50 s'])
    expect(amountText('items')(17_300)).toBe('17,300')
  })

  it('are unchanged if the interval is open or missing', () => {
    const { difference } = writingOf({ metric: 'tokens', yes_no: false, ci: { low: null, high: 5000 } })
    expect(difference(31_470)).toBe('31,470')
    expect(writingOf({ metric: 'tokens', yes_no: false, ci: null }).value(1_611_985)).toBe('1,611,985')
  })

  it('have cents if they are money', () => {
    const { bound } = writingOf({ metric: 'cost_usd', yes_no: false, ci: { low: 12_345.67, high: 23_456.78 } })
    expect(bound(12_345.67)).toBe('$12,345.67')
  })
})
