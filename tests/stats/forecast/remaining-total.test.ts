import { describe, expect, it } from 'vitest'
import { remainingTotal, type Stratum } from '../../../src/stats/forecast/remaining-total.ts'
import { seededRandom } from '../../../src/util/random.ts'

const stratumOf = (values: readonly number[], toCome: number): Stratum => ({
  n: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  sumOfSquares: values.reduce((sum, value) => sum + value * value, 0),
  toCome,
})

describe('the remaining total', () => {
  it('is missing with one run', () => {
    expect(remainingTotal([stratumOf([3], 5)], 0, 0.9)).toBeNull()
    expect(remainingTotal([], 5, 0.9)).toBeNull()
  })

  it('of runs that all cost the same is certain', () => {
    expect(remainingTotal([stratumOf([2, 2, 2, 2, 2], 10)], 5, 0.9)).toEqual({ estimate: 30, low: 30, high: 30 })
  })

  it('is estimated per kind of run if there is enough data', () => {
    const cheap = stratumOf([1, 1.1, 0.9], 1)
    const dear = stratumOf([10, 11, 9], 9)
    const byKind = remainingTotal([cheap, dear], 0, 0.9)
    expect(byKind?.estimate).toBeCloseTo(91)
    expect((byKind?.high ?? 0) - (byKind?.low ?? 0)).toBeLessThan(30)
    // A kind that was never seen could be either.
    const unseen = remainingTotal([cheap, dear], 10, 0.9)
    expect(unseen?.estimate).toBeCloseTo(91 + 55)
    expect((unseen?.high ?? 0) - (unseen?.low ?? 0)).toBeGreaterThan(60)
  })

  it('equals the t interval of the total for one kind of run', () => {
    const values = [4, 6, 5, 7, 3]
    const forecast = remainingTotal([stratumOf(values, 20)], 0, 0.9)
    // t(0.95, 4) × √(s² N (1 + N/n)), s² = 2.5: in relative terms the same, there is one kind only.
    expect(forecast?.estimate).toBeCloseTo(100, 10)
    expect((forecast?.high ?? 0) - 100).toBeCloseTo(2.131_846_786 * Math.sqrt(2.5 * 20 * (1 + 20 / 5)), 6)
  })

  it('has nominal coverage if runs vary with their cost', () => {
    const random = seededRandom(3)
    const normal = () => {
      const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
      return radius * Math.cos(2 * Math.PI * random.next())
    }
    const trials = 2000
    let held = 0
    for (let trial = 0; trial < trials; trial++) {
      const kinds = [1, 3, 10].map(mean => ({ seen: 4, toCome: 12, draw: () => mean * (1 + 0.2 * normal()) }))
      const strata = kinds.map(({ seen, toCome, draw }) => stratumOf(Array.from({ length: seen }, draw), toCome))
      const truth = kinds.reduce((sum, { toCome, draw }) => {
        for (let run = 0; run < toCome; run++) sum += draw()
        return sum
      }, 0)
      const forecast = remainingTotal(strata, 0, 0.9)
      if (forecast !== null && truth >= forecast.low && truth <= forecast.high) held++
    }
    expect(held / trials).toBeGreaterThan(0.87)
    expect(held / trials).toBeLessThan(0.93)
  })
})
