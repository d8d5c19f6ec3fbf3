import { expect, it } from 'vitest'
import { binomialProbability } from '../../../src/stats/distributions/binomial.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { fewestRuns } from '../../../src/stats/power/fewest.ts'
import { mcnemarPower } from '../../../src/stats/power/mcnemar.ts'
import { mcnemarMidPPower } from '../../../src/stats/power/mcnemar-mid-p.ts'
import { mcnemarTest } from '../../../src/stats/tests/proportions/mcnemar.ts'

/** Every outcome of n items, one by one. */
function byListing(
  { onlyA, onlyB }: { onlyA: number; onlyB: number },
  n: number,
  alternative: 'two-sided' | 'greater' | 'less',
): number {
  const choose = (m: number, k: number): number => (k === 0 ? 1 : (choose(m - 1, k - 1) * m) / k)
  let power = 0
  for (let a = 0; a <= n; a++)
    for (let b = 0; a + b <= n; b++) {
      const test = mcnemarTest(a, b)
      if (!isAvailable(test)) continue
      const p =
        alternative === 'two-sided' ? test.midP : test.exact[alternative] - binomialProbability(a, a + b, 0.5) / 2
      if (p > 0.05) continue
      power += choose(n, a) * choose(n - a, b) * onlyA ** a * onlyB ** b * (1 - onlyA - onlyB) ** (n - a - b)
    }
  return power
}

it.each([5, 12, 25, 40])('equals enumeration of every outcome of %i items', n => {
  for (const shares of [
    { onlyA: 0.3, onlyB: 0.1 },
    { onlyA: 0.05, onlyB: 0.45 },
    { onlyA: 0.2, onlyB: 0.2 },
  ])
    for (const alternative of ['two-sided', 'greater', 'less'] as const)
      expect(mcnemarMidPPower(shares, n, { alternative })).toBeCloseTo(byListing(shares, n, alternative), 9)
})

it('is never below that of the exact test, and at its level without a difference', () => {
  for (const n of [10, 50, 200]) {
    expect(mcnemarMidPPower({ onlyA: 0.2, onlyB: 0.1 }, n)).toBeGreaterThanOrEqual(
      mcnemarPower({ onlyA: 0.2, onlyB: 0.1 }, n),
    )
    expect(mcnemarMidPPower({ onlyA: 0.15, onlyB: 0.15 }, n)).toBeLessThan(0.055)
  }
})

it('has none without discordant items', () => {
  expect(mcnemarMidPPower({ onlyA: 0, onlyB: 0 }, 100)).toBe(0)
})

it('finds the fewest runs of a sawtooth curve, past its teeth', () => {
  const teeth = (n: number) => (n === 12 ? 0.79 : n >= 10 ? 0.81 : 0.5)
  expect(fewestRuns(teeth, 0.8, { from: 2, most: 1000 })).toBeGreaterThanOrEqual(10)
  expect(teeth(fewestRuns(teeth, 0.8, { from: 2, most: 1000 }) ?? 0)).toBeGreaterThanOrEqual(0.8)
  expect(fewestRuns(() => 0.1, 0.8, { from: 2, most: 1000 })).toBeUndefined()
  expect(fewestRuns(() => 1, 0.8, { from: 2, most: 1000 })).toBe(2)
})
