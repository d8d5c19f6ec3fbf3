import { describe, expect, it } from 'vitest'
import { pairedMarginErrors } from '../../../src/analyze/calibrate/margins.ts'
import { binomialProbability } from '../../../src/stats/distributions/binomial.ts'
import { pairedScorePower } from '../../../src/stats/power/paired-score.ts'
import { pairedScoreInterval, pairedScoreTest } from '../../../src/stats/tests/proportions/paired-score.ts'
import { given } from '../close.ts'

const counts = (onlyA: number, onlyB: number, n: number) => ({ both: n - onlyA - onlyB, onlyA, onlyB, neither: 0 })
const pOf = (a: number, b: number, n: number, difference: number) =>
  given(pairedScoreTest(counts(a, b, n), { difference, alternative: 'greater' })).p

describe('the score of pairs of yes and no', () => {
  it('is McNemar’s for no difference, and Tango’s otherwise', () => {
    expect(given(pairedScoreTest(counts(9, 2, 40))).z).toBeCloseTo(7 / Math.sqrt(11), 12)
    // By hand: no discordant pair, and the likeliest shares under the margin are 0 and the margin.
    expect(given(pairedScoreTest(counts(0, 0, 50), { difference: -0.1 })).z).toBeCloseTo(5 / Math.sqrt(50 * 0.09), 12)
  })

  it('50 identical pairs have their exact probability if the candidate is worse by 10 points', () => {
    expect(pOf(0, 0, 50, -0.1)).toBeCloseTo(0.9 ** 50, 12)
  })

  it('is the largest probability of all outcomes as extreme, over three shares of discordant pairs', () => {
    for (const [a, b, n, difference] of [
      [3, 1, 24, -0.1],
      [0, 2, 30, -0.15],
      [14, 6, 40, 0],
      [24, 0, 24, 0.3],
      [9, 15, 31, -0.4],
    ] as const) {
      const zOf = (x: number, y: number) => {
        const found = pairedScoreTest(counts(x, y, n), { difference })
        return 'z' in found ? found.z : 0
      }
      const chanceAt = (discordant: number) => {
        const [onlyA, onlyB] = [(discordant + difference) / 2, (discordant - difference) / 2]
        let chance = 0
        for (let y = 0; y <= n; y++)
          for (let x = 0; x <= n - y; x++)
            if (zOf(x, y) >= zOf(a, b) - 1e-9)
              chance +=
                binomialProbability(y, n, onlyB) * binomialProbability(x, n - y, Math.max(0, onlyA) / (1 - onlyB))
        return chance
      }
      // The shares that are likeliest under the hypothesis, by looking for them.
      const logLikelihood = (discordant: number) =>
        a * Math.log((discordant + difference) / 2) +
        b * Math.log((discordant - difference) / 2) +
        (n - a - b) * Math.log(1 - discordant)
      const grid = Array.from(
        { length: 100_000 },
        (_, at) => Math.abs(difference) + ((1 - Math.abs(difference)) * (at + 0.5)) / 1e5,
      )
      const likely = grid.reduce((best, one) => (logLikelihood(one) > logLikelihood(best) ? one : best))
      const error = Math.sqrt((likely * (1 - likely)) / n)
      const shares = [likely, likely - error, likely + error].map(one =>
        Math.min(1, Math.max(Math.abs(difference), one)),
      )
      expect(pOf(a, b, n, difference)).toBeCloseTo(Math.max(...shares.map(chanceAt)), 4)
    }
  })

  it('is symmetric', () => {
    for (const [a, b] of [
      [0, 3],
      [5, 2],
      [1, 9],
    ] as const)
      for (const difference of [-0.1, -0.02, 0.07])
        expect(given(pairedScoreTest(counts(b, a, 60), { difference: -difference, alternative: 'less' })).p).toBe(
          pOf(a, b, 60, difference),
        )
  })

  it('grows with every pair that is won, and shrinks with every pair that is lost', () => {
    for (let a = 0; a < 12; a++)
      for (let b = 0; b < 12; b++) {
        expect(pOf(a + 1, b, 40, -0.05)).toBeLessThanOrEqual(pOf(a, b, 40, -0.05) + 1e-12)
        expect(pOf(a, b + 1, 40, -0.05)).toBeGreaterThanOrEqual(pOf(a, b, 40, -0.05) - 1e-12)
      }
  })

  it('has no p without a discordant pair, and one above 0 however many there are', () => {
    expect(pairedScoreTest(counts(0, 0, 20))).toEqual({ unavailable: 'no_discordant_pairs' })
    const extreme = given(pairedScoreTest(counts(300, 0, 300))).p
    expect(extreme).toBeGreaterThan(0)
    expect(Math.log2(extreme)).toBeCloseTo(-299, 0)
    expect(given(pairedScoreTest(counts(30_000, 0, 100_000))).p).toBeGreaterThan(0)
  })
})

describe('summed over all outcomes', () => {
  const discordant = Array.from({ length: 30 }, (_, at) => (at + 1) / 100)

  it.each([20, 25, 26, 37, 52, 73, 120, 260, 500])(
    'a candidate at the margin passes in at most 55 of 1000 experiments of %i pairs',
    n => {
      for (const margin of [0.01, 0.02, 0.03, 0.05, 0.075, 0.1])
        for (const { error, share } of pairedMarginErrors(n, margin, [margin, ...discordant]))
          expect(error, `margin ${margin}, ${share} discordant`).toBeLessThanOrEqual(0.055)
    },
  )

  it('a difference is claimed in at most 5.5% where there is none', () => {
    for (const n of [5, 6, 8, 10, 12, 20, 35, 60, 100]) {
      const power = pairedScorePower(n, 0.05, 'two-sided')
      for (let share = 0.02; share <= 1; share += 0.02)
        expect(power({ onlyA: share / 2, onlyB: share / 2 }), `n = ${n}, ${share}`).toBeLessThanOrEqual(0.055)
    }
  })

  it('the interval holds the true difference in at least 94.5%, and agrees with the test', () => {
    const n = 20
    const tables = Array.from({ length: n + 1 }, (_, a) =>
      Array.from({ length: n + 1 - a }, (_, b) => ({ a, b })),
    ).flat()
    const found = tables.map(({ a, b }) => {
      const interval = given(pairedScoreInterval(counts(a, b, n)))
      const test = pairedScoreTest(counts(a, b, n))
      const isSignificant = 'p' in test && test.p <= 0.05
      expect(interval.low > 0 || interval.high < 0, `${a} against ${b}`).toBe(isSignificant)
      return { a, b, ...interval }
    })
    for (const [onlyA, onlyB] of [
      [0.02, 0.02],
      [0.3, 0.05],
      [0.1, 0],
      [0.25, 0.25],
      [0.6, 0.1],
    ] as const) {
      const held = found
        .filter(({ low, high }) => low <= onlyA - onlyB && onlyA - onlyB <= high)
        .reduce(
          (sum, { a, b }) =>
            sum + binomialProbability(b, n, onlyB) * binomialProbability(a, n - b, onlyA / (1 - onlyB)),
          0,
        )
      expect(held, `${onlyA} and ${onlyB}`).toBeGreaterThanOrEqual(0.945)
    }
  })
})
