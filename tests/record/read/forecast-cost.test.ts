import { describe, expect, it } from 'vitest'
import { forecastCost, standing } from '../../../src/record/read/standing.ts'
import { claim, planned, settle } from '../support.ts'

const names = Array.from({ length: 10 }, (_, index) => `run-${index}`)

/** Of ten runs, the first have cost so much. */
function spent(costs: readonly number[]) {
  const { journal, workerId } = planned(...names)
  for (const cost_usd of costs) settle(journal, claim(journal, workerId).token, 'completed', { cost_usd })
  return { journal, workerId, forecast: () => forecastCost(journal, standing(journal, '')) }
}

describe('the forecast of the final cost', () => {
  it('is the spend plus the cost of future runs, estimated from finished ones', () => {
    expect(spent([1, 1, 1, 1]).forecast()).toEqual({
      estimate_usd: 10,
      low_usd: 10,
      high_usd: 10,
      level: 0.9,
      runs: 4,
      to_come: 6,
    })
    const varied = spent([1, 2, 3]).forecast()
    expect(varied?.estimate_usd).toBeCloseTo(20)
    expect(varied?.low_usd).toBeGreaterThanOrEqual(6)
    expect(varied?.high_usd).toBeGreaterThan(25)
  })

  it('is missing with one run, with free runs, or if nothing is left', () => {
    expect(spent([1]).forecast()).toBeNull()
    expect(spent([0, 0, 0]).forecast()).toBeNull()
    expect(spent(Array(10).fill(1)).forecast()).toBeNull()
  })

  it('counts the spend of a running run as part of its cost', () => {
    const { journal, workerId, forecast } = spent([1, 1, 1, 1])
    const { token } = claim(journal, workerId)
    journal.run('UPDATE attempts SET cost_usd = 0.4 WHERE token = ?', token)
    journal.run('UPDATE experiment SET spent_usd = spent_usd + 0.4')
    expect(forecast()?.estimate_usd).toBeCloseTo(10)
  })

  it('counts all attempts of a run, except those that were cut', () => {
    const { journal, workerId, forecast } = spent([1, 1, 1])
    settle(journal, claim(journal, workerId).token, 'cost_limited', { cost_usd: 0.01 })
    expect(forecast()).toMatchObject({ runs: 3, to_come: 6 })
    expect(forecast()?.estimate_usd).toBeCloseTo(9.01)
  })
})
