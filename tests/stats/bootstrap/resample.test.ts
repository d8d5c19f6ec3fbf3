import { describe, expect, test } from 'vitest'
import { resampleClusters } from '../../../src/stats/bootstrap/resample/resample-clusters.ts'
import { resampleDifference } from '../../../src/stats/bootstrap/resample/resample-difference.ts'
import { resampleNested } from '../../../src/stats/bootstrap/resample/resample-nested.ts'
import { resamplePairs } from '../../../src/stats/bootstrap/resample/resample-pairs.ts'
import { resampleRatio } from '../../../src/stats/bootstrap/resample/resample-ratio.ts'
import { resampleSmoothly, silvermanBandwidth } from '../../../src/stats/bootstrap/resample/resample-smoothly.ts'
import { resampleStrata } from '../../../src/stats/bootstrap/resample/resample-strata.ts'
import { resampleValues } from '../../../src/stats/bootstrap/resample/resample-values.ts'
import type { Resampled } from '../../../src/stats/bootstrap/resample/resampled.ts'
import {
  medianStatistic,
  standardDeviationStatistic,
  trimmedMeanStatistic,
  varianceStatistic,
} from '../../../src/stats/bootstrap/resample/statistic.ts'
import { type Estimate, isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { numpyRandom } from '../../../src/stats/random/numpy-random.ts'

const options = () => ({ random: counterRandom(7), resamples: 20_000 })
const available = (resampled: Estimate<Resampled>): Resampled => {
  if (!isAvailable(resampled)) throw new Error('no resamples')
  return resampled
}
const spreadOf = (resampled: Estimate<Resampled>) => standardDeviationStatistic(available(resampled).distribution)
const within = (share: number, expected: number) => (got: number) =>
  expect(Math.abs(got / expected - 1)).toBeLessThan(share)

// Enumerated by hand: the standard deviation of the mean over all n^n resamples is √(Σ(x − mean)² / n²).
test('the spread of resampled means is that of the ideal bootstrap', () => {
  const values = [2, 3, 7, 12]
  within(0.02, Math.sqrt(62 / 16))(spreadOf(resampleValues(values, options())))
})

test('the same seed gives the same bytes', () => {
  const run = () => available(resampleValues([1, 2, 4, 8], options())).distribution
  expect(run()).toEqual(run())
})

test('resamples with the numbers of numpy', () => {
  const { distribution } = available(resampleValues([0, 1, 2, 3, 4], { random: numpyRandom(0), resamples: 2 }))
  // default_rng(0).integers(0, 5, (2, 5)) is [[4, 3, 2, 1, 1], [0, 0, 0, 0, 4]].
  expect([...distribution]).toEqual([2.2, 0.8])
})

test('pairs stay together: what both arms share cancels out', () => {
  const control = [10, 20, 30, 40, 50]
  const candidate = [11, 21, 32, 41, 51]
  const paired = spreadOf(resamplePairs(candidate, control, options()))
  const apart = spreadOf(resampleDifference(candidate, control, options()))
  expect(paired).toBeLessThan(0.2)
  expect(apart).toBeGreaterThan(8)
})

test('other statistics than the mean, of values and of pairs', () => {
  const values = [1, 2, 3, 4, 100]
  expect(available(resampleValues(values, { ...options(), statistic: medianStatistic })).estimate).toBe(3)
  const shifted = values.map((value, at) => value + at)
  const pairs = resamplePairs(shifted, values, { ...options(), statistic: trimmedMeanStatistic(0.2) })
  expect(available(pairs).estimate).toBe(2)
  expect(available(pairs).jackknife[0]).toHaveLength(5)
  const apart = resampleDifference(shifted, values, { ...options(), statistic: varianceStatistic })
  expect(available(apart).jackknife.map(list => list.length)).toEqual([5, 5])
})

test('clusters are drawn whole, so repeated values within one add nothing', () => {
  const single = [[1], [4], [5], [9]]
  const repeated = single.map(([value = 0]) => [value, value, value])
  expect(spreadOf(resampleClusters(repeated, options()))).toBeCloseTo(spreadOf(resampleClusters(single, options())), 12)
})

test('nested resampling adds the noise between rollouts, and pairs tasks', () => {
  const tasks = [
    [0, 1],
    [5, 6],
    [9, 8],
  ]
  const noisy = spreadOf(resampleNested(tasks, options()))
  const clustered = spreadOf(resampleClusters(tasks, options()))
  // Task means 0.5, 5.5, 8.5 have variance 98/9 (n, not n − 1); a mean of two rollouts 1 apart has 1/8.
  within(0.02, Math.sqrt((98 / 9 + 1 / 8) / 3))(noisy)
  expect(noisy).toBeGreaterThan(clustered)
  const difference = resampleNested(tasks, { ...options(), control: tasks.map(task => task.map(value => value - 1)) })
  expect(available(difference).estimate).toBeCloseTo(1, 12)
  expect(spreadOf(difference)).toBeLessThan(0.5)
})

test('strata are drawn separately: differences between them add nothing', () => {
  const strata = [
    [1, 2, 3],
    [101, 102, 103],
  ]
  const resampled = resampleStrata(strata, options())
  expect(available(resampled).estimate).toBe(52)
  // Each stratum mean has variance (2/3)/3; half the weight each.
  within(0.02, Math.sqrt((2 * (2 / 9)) / 4))(spreadOf(resampled))
  expect(available(resampleStrata(strata, { ...options(), weights: [1, 0] })).estimate).toBe(2)
})

test('a ratio of means, paired or not, plain or as a logarithm', () => {
  const cost = [2, 4, 6, 8]
  const half = [1, 2, 3, 4]
  const paired = available(resampleRatio(cost, half, { ...options(), paired: true, scale: 'log-ratio' }))
  expect(paired.estimate).toBeCloseTo(Math.log(2), 12)
  expect(standardDeviationStatistic(paired.distribution)).toBeLessThan(1e-12)
  expect(spreadOf(resampleRatio(cost, half, { ...options(), paired: false }))).toBeGreaterThan(0.3)
})

test('the smooth bootstrap adds the variance of its kernel', () => {
  const values = [1, 2, 3, 4, 5, 9]
  const variance = 40 / 6 + silvermanBandwidth(values) ** 2
  within(0.02, Math.sqrt(variance / 6))(spreadOf(resampleSmoothly(values, options())))
})

describe('data that cannot answer', () => {
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    ['nothing', () => resampleValues([], options()), 'no_data'],
    ['one value', () => resampleValues([3], options()), 'too_few_values'],
    ['no variance', () => resampleValues([3, 3, 3], options()), 'zero_variance'],
    ['a NaN', () => resampleValues([3, Number.NaN], options()), 'not_a_number'],
    ['an infinite value', () => resampleValues([3, Infinity], options()), 'infinite_value'],
    ['pairs all the same apart', () => resamplePairs([0.3, 0.7], [0.1, 0.5], options()), 'zero_variance'],
    ['arms without variance', () => resampleDifference([1, 1], [2, 2], options()), 'zero_variance'],
    ['one cluster', () => resampleClusters([[1, 2, 3]], options()), 'one_cluster'],
    ['one task', () => resampleNested([[1, 2, 3]], options()), 'one_cluster'],
    ['an empty task', () => resampleNested([[1], []], options()), 'no_data'],
    ['a stratum of one', () => resampleStrata([[1], [2, 3]], options()), 'too_few_values'],
    ['a denominator that may be 0', () => resampleRatio([1, 2], [0, 3], { ...options(), paired: false }), 'unbounded'],
    [
      'the logarithm of a loss',
      () => resampleRatio([-1, -2], [1, 3], { ...options(), paired: true, scale: 'log-ratio' }),
      'not_positive',
    ],
    ['constant values, smoothly', () => resampleSmoothly([1, 1], options()), 'zero_variance'],
  ]
  test.each(cases)('%s', (_, run, reason) => expect(run()).toEqual({ unavailable: reason }))
})

test('pairs of unequal length and a fraction of a resample are errors', () => {
  expect(() => resamplePairs([1, 2], [1], options())).toThrow('pairs')
  expect(() => resampleValues([1, 2], { random: counterRandom(1), resamples: 0.5 })).toThrow('resamples')
})

test('10,000 paired resamples of 500 pairs take a moment', ({ skip }) => {
  if (process.threadCpuUsage === undefined) return skip('this Node does not tell the CPU time of a thread')
  const control = Array.from({ length: 500 }, (_, at) => Math.sin(at))
  const candidate = control.map((value, at) => value + Math.cos(3 * at))
  const before = process.threadCpuUsage()
  resamplePairs(candidate, control, { random: counterRandom(1), resamples: 10_000 })
  // CPU time, which other programs on the machine do not lengthen: 0.07 s.
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(1)
})
