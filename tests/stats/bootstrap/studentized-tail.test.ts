import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { resampledTs, studentizeDifference, studentizeMean } from '../../../src/stats/bootstrap/studentized.ts'
import { tailOf } from '../../../src/stats/bootstrap/studentized-tail.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { permutationIndependent } from '../../../src/stats/tests/permutation/independent.ts'
import { permutationPaired } from '../../../src/stats/tests/permutation/paired.ts'
import { drawnSumBound, signedSumBound } from '../../../src/stats/tests/permutation/tail-bound.ts'
import { given } from '../close.ts'

const z = normalDeviates(counterRandom(5))
const kinds = [
  ['normal', () => z()],
  ['lognormal', () => Math.exp(z())],
  ['long tails', () => z() / Math.sqrt(Math.abs(z()))],
  ['bimodal', () => Math.round(1.2 * Math.abs(z())) + 0.05 * z()],
] as const

describe('the bound of the tail of resampled t', () => {
  it.each(kinds)('is never below the count, and rarely far above it: %s', (_, draw) => {
    for (const n of [9, 20, 60])
      for (const isPaired of [true, false]) {
        const [one, other] = [Array.from({ length: n }, draw), Array.from({ length: n }, draw)]
        const resampling = { random: counterRandom(9), resamples: 40_000 }
        const found = given(isPaired ? studentizeMean(one, resampling) : studentizeDifference(one, other, resampling))
        const ts = Float64Array.from(resampledTs(found, 0)).sort()
        const groups = [{ values: one, factor: 1 }, ...(isPaired ? [] : [{ values: other, factor: -1 }])]
        const mirrored = groups.map(({ values, factor }) => ({ values, factor: -factor }))
        for (const share of [0.02, 0.002, 0.0005]) {
          const beyond = Math.round(share * ts.length)
          const [high, low] = [ts.at(-beyond) ?? 0, ts.at(beyond - 1) ?? 0]
          for (const bound of [tailOf(groups).bound(high), tailOf(mirrored).bound(-low)]) {
            // Twenty resamples are counted to within a quarter.
            expect(bound).toBeGreaterThan(share)
            expect(bound).toBeLessThan(100 * share)
          }
        }
      }
  })

  it('falls, and gives the threshold for a probability', () => {
    const groups = [{ values: Array.from({ length: 30 }, () => z()), factor: 1 }]
    const bounds = [3, 5, 7, 10, 15].map(t => tailOf(groups).bound(t))
    expect(bounds.toSorted((a, b) => b - a)).toEqual(bounds)
    const { bound, line } = tailOf(groups)
    expect(bound(line(1e-8))).toBeLessThanOrEqual(1e-8)
    expect(bound(0.998 * line(1e-8))).toBeGreaterThan(1e-8)
  })

  it('is never below the exact probability for many units with ties', () => {
    // 90 ones of 100: a resample with one or two zeros and without the 3 is hardly spread, and its t is large.
    for (const [zeros, ones, far] of [
      [9, 90, 3],
      [5, 75, 2],
      [12, 187, 4],
    ] as const) {
      const values = [...new Array<number>(zeros).fill(0), ...new Array<number>(ones).fill(1), far]
      for (const leastError of [0, 0.1])
        for (const t of [3, 4, 5, 6]) {
          const chance = exactTail(values, t, leastError)
          expect(tailOf([{ values, factor: 1 }], leastError).bound(t)).toBeGreaterThan(chance)
        }
    }
  })

  it('never falls below the probability of drawing one value repeatedly', () => {
    const values = [1, 2, 3.5, 4, 5.2, 6, 7.1]
    expect(tailOf([{ values, factor: 1 }]).bound(1e5)).toBeCloseTo(7 ** -7, 10)
  })
})

/** Of zeros, ones and one value far out: the chance of each number of them, summed where t is large enough. */
function exactTail(values: readonly number[], t: number, leastError: number): number {
  const n = values.length
  const far = values.at(-1) ?? 0
  const zeros = values.filter(value => value === 0).length
  const mean = (n - zeros - 1 + far) / n
  const logFactorial = [0]
  for (let k = 1; k <= n; k++) logFactorial.push((logFactorial[k - 1] ?? 0) + Math.log(k))
  const errorOf = (none: number, fars: number, centre: number): number =>
    Math.sqrt((none * centre ** 2 + (n - none - fars) * (1 - centre) ** 2 + fars * (far - centre) ** 2) / (n - 1) / n)
  const least = leastError * errorOf(zeros, 1, mean)
  let chance = 0
  for (let none = 0; none <= n; none++)
    for (let fars = 0; none + fars <= n; fars++) {
      const own = (n - none - fars + fars * far) / n
      const error = errorOf(none, fars, own)
      if (error < 1e-9 || own - mean < t * Math.max(error, least)) continue
      const ways = [n, none, fars, n - none - fars].map(k => logFactorial[k] ?? 0)
      const [all = 0, a = 0, b = 0, c = 0] = ways
      const one = Math.log((n - zeros - 1) / n)
      chance += Math.exp(
        all - a - b - c + none * Math.log(zeros / n) + fars * Math.log(1 / n) + (n - none - fars) * one,
      )
    }
  return chance
}

describe('the bound of the tail of permutations', () => {
  it.each([1, 2, 3])('is never below the exact count, and at most about twenty times that', spread => {
    const size = Array.from({ length: 18 }, () => Math.abs(z()) ** spread)
    const total = size.reduce((sum, one) => sum + one, 0)
    for (const share of [0.5, 0.7, 0.9, 1]) {
      // The smallest are turned round until the sum is as asked.
      let left = (total * (1 - share)) / 2
      const values = size
        .toSorted((a, b) => a - b)
        .map(one => {
          if (left < one) return one
          left -= one
          return -one
        })
      const { greater } = given(permutationPaired({ values, rounding: 0 }))
      const sum = values.reduce((all, one) => all + one, 0)
      expect(signedSumBound(size, sum)).toBeGreaterThanOrEqual(greater * (1 - 1e-9))
      expect(signedSumBound(size, sum)).toBeLessThan(30 * greater)
    }
  })

  it('of two groups, too', () => {
    for (const [n, m] of [
      [8, 8],
      [5, 12],
      [14, 6],
    ] as const) {
      const a = Array.from({ length: n }, () => z() + 2)
      const b = Array.from({ length: m }, () => z())
      const { greater } = given(permutationIndependent(a, b))
      const centre = [...a, ...b].reduce((sum, one) => sum + one, 0) / (n + m)
      const values = [...a, ...b].map(one => one - centre)
      const bound = drawnSumBound(
        values,
        n,
        values.slice(0, n).reduce((sum, one) => sum + one, 0),
      )
      expect(bound).toBeGreaterThanOrEqual(greater)
      expect(bound).toBeLessThan(50 * greater)
    }
  })
})
