import { expect, it } from 'vitest'
import { binomialProbability } from '../../../src/stats/distributions/binomial.ts'
import { fisherMidPPower } from '../../../src/stats/power/fisher-mid-p.ts'
import { fisherExactTest } from '../../../src/stats/tests/proportions/fisher-exact.ts'

type Side = 'two-sided' | 'greater' | 'less'

/** Every outcome of both groups put to the test that compare does. */
function bruteForce([nA, nB]: readonly [number, number], rates: readonly [number, number], side: Side): number {
  let power = 0
  for (let a = 0; a <= nA; a++)
    for (let b = 0; b <= nB; b++) {
      const test = fisherExactTest({ successes: a, n: nA }, { successes: b, n: nB })
      if (!('midP' in test)) throw new Error('expected a test')
      const p = side === 'two-sided' ? test.midP : test[side] - test.observed / 2
      if (p <= 0.05) power += binomialProbability(a, nA, rates[0]) * binomialProbability(b, nB, rates[1])
    }
  return power
}

it.each([
  [5, 5],
  [10, 7],
  [13, 30],
  [40, 40],
] as const)('equals the test of compare over all outcomes of %i and %i runs', (nA, nB) => {
  for (const side of ['two-sided', 'greater', 'less'] as const)
    for (const rates of [
      [0.7, 0.6],
      [1, 0.9],
      [0.1, 0.5],
      [0, 0.3],
    ] as const)
      expect(fisherMidPPower(nA, nB, 0.05, side)(rates[0], rates[1])).toBeCloseTo(bruteForce([nA, nB], rates, side), 9)
})

it('differs from the arcsine transformation for extreme rates', () => {
  expect(fisherMidPPower(392, 392, 0.05, 'two-sided')(1, 0.99)).toBeCloseTo(0.355, 3)
})

it('keeps its level approximately', () => {
  for (const rate of [0.02, 0.3, 0.5]) {
    expect(fisherMidPPower(200, 200, 0.05, 'two-sided')(rate, rate)).toBeLessThan(0.05)
    expect(fisherMidPPower(200, 200, 0.05, 'greater')(rate, rate)).toBeLessThan(0.053)
  }
})

it('one-sided has more power than two-sided, and almost none in the other direction', () => {
  expect(fisherMidPPower(50, 50, 0.05, 'greater')(0.7, 0.5)).toBeGreaterThan(
    fisherMidPPower(50, 50, 0.05, 'two-sided')(0.7, 0.5),
  )
  expect(fisherMidPPower(50, 50, 0.05, 'less')(0.7, 0.5)).toBeLessThan(0.001)
})
