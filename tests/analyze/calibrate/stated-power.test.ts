import { describe, expect, it } from 'vitest'
import { statedPowers } from '../../../src/analyze/calibrate/calibrate.ts'
import { claimedDifferences } from '../../../src/analyze/calibrate/claimed-difference.ts'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { isSignificant } from '../../../src/analyze/compare/infer/infer.ts'
import { counterRandom } from '../../../src/stats/index.ts'
import { ask } from '../ask.ts'
import { twoArms } from '../evidence.ts'

// The long form has a standard error below half a point: assay stats calibrate --data 'stated power' --trials 10000 --resamples 1999
it('states the power with which compare finds the difference, for every default', () => {
  const isQuick = (data: string) => !data.startsWith('a pilot of 40') && !data.startsWith('what a comparison')
  const all = [...statedPowers({ seed: 3, trials: 200, resamples: 299 }, isQuick)]
  expect(all.length).toBeGreaterThan(15)
  for (const { data, n, stated, found } of all) {
    const error = Math.sqrt((stated * (1 - stated)) / 200)
    expect(Math.abs(stated - found), `${data}, n = ${n}: ${stated} stated, ${found} found`).toBeLessThan(
      0.02 + 3 * error,
    )
  }
})

describe('the difference that compare could have found', () => {
  it('is found less often against a long tail, and about as often as stated along it', () => {
    const found = new Map(
      [...claimedDifferences({ seed: 2, trials: 150, resamples: 199 }, data => data.includes('long tail'), [20])].map(
        row => [row.data.split(', ').at(-1), row.found],
      ),
    )
    // 80% and 58% in docs/calibration.md, three standard errors around them.
    expect(found.get('along the tail')).toBeGreaterThan(0.7)
    expect(found.get('against the tail')).toBeGreaterThan(0.45)
    expect(found.get('against the tail')).toBeLessThan(0.71)
  })

  const z = normalDeviates(counterRandom(4))
  const normal = (n: number) => Array.from({ length: n }, z)
  const claimOf = (n: number, isPaired: boolean) =>
    Array.from({ length: 31 }, () => {
      const found = ask(twoArms(normal(n), normal(n)), { isPaired, drawing: { seed: 1, resamples: 399, rng: 'assay' } })
      return found.detectable?.difference ?? Number.NaN
    }).toSorted((a, b) => a - b)[15] ?? Number.NaN

  it.each([
    [5, true],
    [12, true],
    [40, true],
    [8, false],
  ])('is found about four times out of five: %i units, paired: %s', (n, isPaired) => {
    const claim = claimOf(n, isPaired)
    const trials = 400
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const samples = {
        control: normal(n),
        candidate: normal(n).map(value => value + claim),
        pairedBy: isPaired ? ['seed'] : null,
        unit: 'seed',
        keys: [],
        isCounted: false,
        dropped: { control: [], candidate: [], unmatched: [] },
      }
      const drawing = { seed: trial, resamples: 399, rng: 'assay' } as const
      const method = n < 7 ? 't' : 'wider'
      if (isSignificant(samples, method, 0.05, { level: 0.95, alternative: 'two-sided', drawing })) found++
    }
    // The claim rests on 31 spreads, the count on 400 experiments.
    expect(found / trials).toBeGreaterThan(0.68)
    expect(found / trials).toBeLessThan(0.9)
  })
})
