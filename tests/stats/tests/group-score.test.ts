import { describe, expect, it } from 'vitest'
import { groupMarginErrors } from '../../../src/analyze/calibrate/margins.ts'
import { binomialProbability } from '../../../src/stats/distributions/binomial.ts'
import { groupScorePower } from '../../../src/stats/power/group-score.ts'
import { groupScoreInterval, groupScoreTest, scoreOf } from '../../../src/stats/tests/proportions/group-score.ts'
import { given } from '../close.ts'

const of = (successes: number, n: number) => ({ successes, n })
const rates = Array.from({ length: 99 }, (_, at) => (at + 1) / 100)

describe('the score of two groups', () => {
  it('is the pooled z for no difference, and that of Mee and of Farrington and Manning otherwise', () => {
    const [a, b] = [of(56, 70), of(48, 80)]
    expect(scoreOf(a, b, 0)).toBeCloseTo(0.2 / Math.sqrt((104 / 150) * (46 / 150) * (1 / 70 + 1 / 80)), 12)
    // Newcombe 1998 (Stat. Med. 17:873, example a) prints 0.0533 to 0.3377 for the interval that this score gives.
    expect(scoreOf(a, b, 0.0533)).toBeCloseTo(1.96, 2)
    expect(scoreOf(a, b, 0.3377)).toBeCloseTo(-1.96, 2)
  })

  it('bounds the probability of all outcomes as extreme, for any true rate', () => {
    for (const [a, n, b, m, difference] of [
      [9, 12, 4, 15, 0],
      [10, 12, 12, 12, -0.1],
      [3, 20, 0, 8, -0.05],
      [6, 9, 9, 30, 0.2],
    ] as const) {
      const score = scoreOf(of(a, n), of(b, m), difference)
      const chances = rates.map(rate => {
        let chance = 0
        for (let x = 0; x <= n; x++)
          for (let y = 0; y <= m; y++)
            if (scoreOf(of(x, n), of(y, m), difference) >= score - 1e-9)
              chance += binomialProbability(x, n, rate + difference) * binomialProbability(y, m, rate)
        return rate + difference < 0 || rate + difference > 1 ? 0 : chance
      })
      const { p } = given(groupScoreTest(of(a, n), of(b, m), { difference, alternative: 'greater' }))
      expect(p).toBeLessThanOrEqual(Math.max(...chances) * 1.01)
      expect(p).toBeGreaterThan(Math.max(...chances) / 2)
    }
  })

  it('passes a candidate exactly at the margin in at most, and nearly, 5% of experiments', () => {
    for (const n of [20, 25, 50, 100])
      for (const margin of [0.01, 0.02, 0.05, 0.1]) {
        const errors = groupMarginErrors(n, margin, rates).map(({ error }) => error)
        expect(Math.max(...errors)).toBeLessThanOrEqual(0.0505)
        expect(Math.max(...errors)).toBeGreaterThan(0.04)
      }
  })

  it('claims a difference in at most 5% of experiments without one, with groups of any sizes', () => {
    for (const [n, m] of [
      [3, 3],
      [5, 9],
      [20, 20],
      [12, 60],
      [80, 80],
    ] as const) {
      const power = groupScorePower(n, m, 0.05, 'two-sided')
      expect(Math.max(...rates.map(rate => power(rate, rate)))).toBeLessThanOrEqual(0.0505)
    }
  })

  it('has an interval that agrees with the test, at both ends and with arms swapped', () => {
    for (const [a, n, b, m] of [
      [9, 10, 3, 10],
      [0, 10, 0, 20],
      [99, 100, 97, 100],
      [1, 7, 6, 19],
    ] as const) {
      const { low, high } = given(groupScoreInterval(of(a, n), of(b, m)))
      const back = given(groupScoreInterval(of(b, m), of(a, n)))
      expect([back.low, back.high]).toEqual([-high, -low])
      const p = (difference: number) =>
        given(groupScoreTest(of(a, n), of(b, m), { difference, alternative: 'greater' })).p
      expect(p(low - 1e-5)).toBeLessThanOrEqual(0.025)
      expect(p(low + 1e-5)).toBeGreaterThan(0.025)
      const isSignificant = given(groupScoreTest(of(a, n), of(b, m))).p <= 0.05
      expect(low > 0 || high < 0).toBe(isSignificant)
    }
  })

  it('copes with one run, no run and a hundred thousand runs in each arm', () => {
    expect(given(groupScoreTest(of(0, 1), of(1, 1))).p).toBeCloseTo(0.5, 12)
    expect(groupScoreTest(of(0, 0), of(1, 1))).toEqual({ unavailable: 'no_data' })
    const { low, high } = given(groupScoreInterval(of(50_000, 100_000), of(49_000, 100_000)))
    expect(low).toBeCloseTo(0.01 - 1.96 * Math.sqrt((0.25 + 0.49 * 0.51) / 1e5), 4)
    expect(high).toBeCloseTo(0.01 + 1.96 * Math.sqrt((0.25 + 0.49 * 0.51) / 1e5), 4)
    expect(given(groupScoreTest(of(100_000, 100_000), of(0, 100_000))).p).toBeGreaterThan(0)
  })
})

it('the power of the score test is summed over its rejected outcomes', () => {
  const [n, m] = [9, 14]
  for (const alternative of ['two-sided', 'greater', 'less'] as const) {
    let power = 0
    for (let x = 0; x <= n; x++)
      for (let y = 0; y <= m; y++)
        if (given(groupScoreTest(of(x, n), of(y, m), { alternative })).p <= 0.05)
          power += binomialProbability(x, n, 0.8) * binomialProbability(y, m, 0.35)
    expect(groupScorePower(n, m, 0.05, alternative)(0.8, 0.35)).toBeCloseTo(power, 9)
  }
})
