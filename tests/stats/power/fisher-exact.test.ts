import { expect, it } from 'vitest'
import { binomialProbability } from '../../../src/stats/distributions/binomial.ts'
import { isAvailable } from '../../../src/stats/outcome.ts'
import { fisherExactPower } from '../../../src/stats/power/fisher-exact.ts'
import { fisherExactTest } from '../../../src/stats/tests/proportions/fisher-exact.ts'

/** Every outcome and its test, one by one. */
function byListing(rateA: number, nA: number, rateB: number, nB: number): number {
  let power = 0
  for (let a = 0; a <= nA; a++)
    for (let b = 0; b <= nB; b++) {
      const test = fisherExactTest({ successes: a, n: nA }, { successes: b, n: nB })
      if (isAvailable(test) && test.twoSided <= 0.05)
        power += binomialProbability(a, nA, rateA) * binomialProbability(b, nB, rateB)
    }
  return power
}

it.each([
  [0.5, 20, 0.8, 20],
  [0.05, 12, 0.4, 25],
  [0.3, 15, 0.3, 15],
])('for %f of %i against %f of %i is what listing every outcome gives', (rateA, nA, rateB, nB) => {
  expect(fisherExactPower({ rate: rateA, n: nA }, { rate: rateB, n: nB })).toBeCloseTo(
    byListing(rateA, nA, rateB, nB),
    10,
  )
})

it('never claims more than its level where there is no difference', () => {
  for (const rate of [0.05, 0.3, 0.5, 0.9])
    expect(fisherExactPower({ rate, n: 30 }, { rate, n: 30 })).toBeLessThanOrEqual(0.05)
})

it('finds nothing where nothing can differ', () => {
  expect(fisherExactPower({ rate: 0, n: 10 }, { rate: 0, n: 10 })).toBe(0)
  expect(fisherExactPower({ rate: 1, n: 10 }, { rate: 0, n: 10 })).toBeCloseTo(1, 12)
})
