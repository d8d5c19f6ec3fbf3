import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  betaMean,
  credibleInterval,
  highestDensityInterval,
  posteriorOf,
  probabilityEquivalent,
  probabilityGreater,
} from '../../../src/stats/bayes/beta-binomial.ts'
import { betaCdf } from '../../../src/stats/distributions/beta.ts'

test('successes and failures are added to the prior', () => {
  expect(posteriorOf({ successes: 3, trials: 10 })).toEqual({ a: 4, b: 8 })
  expect(posteriorOf({ successes: 0, trials: 0 }, { a: 0.5, b: 0.5 })).toEqual({ a: 0.5, b: 0.5 })
  expect(betaMean({ a: 4, b: 8 })).toBeCloseTo(1 / 3, 12)
  expect(() => posteriorOf({ successes: 4, trials: 3 })).toThrow('0 to 3')
})

test('nothing failed: the interval is short of 1, and the densest one ends there', () => {
  const posterior = posteriorOf({ successes: 5, trials: 5 })
  // Beta(6, 1) has the distribution function x⁶.
  expect(credibleInterval(posterior)).toMatchObject({
    low: expect.closeTo(0.025 ** (1 / 6), 9),
    high: expect.closeTo(0.975 ** (1 / 6), 9),
  })
  expect(highestDensityInterval(posterior)).toMatchObject({ low: expect.closeTo(0.05 ** (1 / 6), 9), high: 1 })
})

// By quadrature and minimisation with scipy.
test('probabilities and densest intervals of other posteriors', () => {
  expect(probabilityGreater({ a: 12.5, b: 3.5 }, { a: 8.5, b: 7.5 })).toBeCloseTo(0.94026557727, 9)
  expect(probabilityGreater({ a: 301, b: 201 }, { a: 280, b: 222 }, 0.02)).toBeCloseTo(0.75862383146, 9)
  expect(highestDensityInterval({ a: 13, b: 4 })).toMatchObject({
    low: expect.closeTo(0.56851573, 7),
    high: expect.closeTo(0.9429977, 7),
  })
})

test('uniform rates differ by less than a half in three of four cases', () => {
  const uniform = { a: 1, b: 1 }
  expect(probabilityEquivalent(uniform, uniform, 0.5)).toBeCloseTo(0.75, 10)
})

test('either is greater; densest intervals are no longer than equal-tailed ones and hold as much', () => {
  const beta = fc.record({ a: fc.integer({ min: 2, max: 80 }), b: fc.integer({ min: 2, max: 80 }) })
  fc.assert(
    fc.property(beta, beta, (one, other) => {
      expect(probabilityGreater(one, other) + probabilityGreater(other, one)).toBeCloseTo(1, 9)
      const [tailed, densest] = [credibleInterval(one, 0.9), highestDensityInterval(one, 0.9)]
      expect(densest.high - densest.low).toBeLessThanOrEqual(tailed.high - tailed.low + 1e-9)
      expect(betaCdf(densest.high, one.a, one.b) - betaCdf(densest.low, one.a, one.b)).toBeCloseTo(0.9, 6)
    }),
    { numRuns: 30 },
  )
})
