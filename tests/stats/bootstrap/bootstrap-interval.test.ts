import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceleration } from '../../../src/stats/bootstrap/acceleration.ts'
import { bootstrapInterval } from '../../../src/stats/bootstrap/bootstrap-interval.ts'
import { resampleDifference } from '../../../src/stats/bootstrap/resample/resample-difference.ts'
import { resampleValues } from '../../../src/stats/bootstrap/resample/resample-values.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'

const given = (distribution: readonly number[], estimate: number, jackknife: readonly number[] = []) => ({
  estimate,
  distribution: Float64Array.from(distribution),
  jackknife: [jackknife],
})
const zeroToHundred = Array.from({ length: 101 }, (_, at) => at)

test('the percentile interval is quantiles, the basic one their mirror image', () => {
  const resampled = given(zeroToHundred, 40)
  expect(bootstrapInterval(resampled, { level: 0.9 })).toMatchObject({ low: 5, high: 95 })
  expect(bootstrapInterval(resampled, { level: 0.9, method: 'basic' })).toMatchObject({ low: -15, high: 75 })
})

test('one-sided intervals put the whole risk on one end', () => {
  const resampled = given(zeroToHundred, 50)
  expect(bootstrapInterval(resampled, { level: 0.9, alternative: 'greater' })).toMatchObject({
    low: 10,
    high: Infinity,
  })
  expect(bootstrapInterval(resampled, { level: 0.9, alternative: 'less' })).toMatchObject({ low: -Infinity, high: 90 })
})

test('BCa without bias or skew is the percentile interval', () => {
  const resampled = given(zeroToHundred, 50, [1, 2, 3])
  const interval = bootstrapInterval(resampled, { level: 0.9, method: 'bca' })
  if (!isAvailable(interval)) throw new Error('no interval')
  expect(interval.low).toBeCloseTo(5, 9)
  expect(interval.high).toBeCloseTo(95, 9)
})

test('BCa moves towards the long tail', () => {
  const skewed = [0.3, 0.5, 0.9, 1.4, 2.2, 3.7, 8.1]
  const resampled = resampleValues(skewed, { random: counterRandom(3) })
  if (!isAvailable(resampled)) throw new Error('no resamples')
  const percentile = bootstrapInterval(resampled)
  const bca = bootstrapInterval(resampled, { method: 'bca' })
  if (!isAvailable(percentile) || !isAvailable(bca)) throw new Error('no interval')
  expect(bca.low).toBeGreaterThan(percentile.low)
  expect(bca.high).toBeGreaterThan(percentile.high)
})

test('an estimate outside all resamples, or identical resamples, give a reason', () => {
  expect(bootstrapInterval(given(zeroToHundred, 200, [1, 2, 4]), { method: 'bca' })).toEqual({
    unavailable: 'unbounded',
  })
  expect(bootstrapInterval(given([2, 2, 2], 2))).toEqual({ unavailable: 'zero_variance' })
  expect(bootstrapInterval(given([1, Number.NaN], 1))).toEqual({ unavailable: 'not_a_number' })
  expect(() => bootstrapInterval(given([1, 2], 1), { level: 95 })).toThrow('level')
})

// U = (n − 1)(mean of leave-one-out − leave-one-out) = x − mean for a mean: skewness / (6 √n) by hand.
test('the acceleration of a mean is its skewness over 6 √n', () => {
  const values = [1, 2, 6]
  const leftOut = [4, 3.5, 1.5]
  const deviations = values.map(value => value - 3)
  const cubes = deviations.reduce((sum, deviation) => sum + deviation ** 3, 0)
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0)
  expect(acceleration([leftOut])).toBeCloseTo(cubes / (6 * squares ** 1.5), 12)
})

test('two samples of the same values have accelerations that cancel', () => {
  const resampled = resampleDifference([1, 2, 6], [1, 2, 6], { random: counterRandom(1), resamples: 10 })
  if (!isAvailable(resampled)) throw new Error('no resamples')
  expect(acceleration(resampled.jackknife)).toBeCloseTo(0, 12)
})

test('a wider level gives a wider interval, which moves and stretches with the values', () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 12 })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 9 }), (sample, factor) => {
      fc.pre(new Set(sample).size > 1)
      const interval = (numbers: readonly number[], level: number) => {
        const resampled = resampleValues(numbers, { random: counterRandom(9), resamples: 400 })
        const answer = isAvailable(resampled) ? bootstrapInterval(resampled, { level }) : resampled
        if (!isAvailable(answer)) throw new Error('no interval')
        return answer
      }
      const narrow = interval(sample, 0.5)
      const wide = interval(sample, 0.95)
      expect(wide.low).toBeLessThanOrEqual(narrow.low)
      expect(wide.high).toBeGreaterThanOrEqual(narrow.high)
      const moved = interval(
        sample.map(value => factor * value + 7),
        0.95,
      )
      expect(moved.low).toBeCloseTo(factor * wide.low + 7, 9)
      expect(moved.high).toBeCloseTo(factor * wide.high + 7, 9)
    }),
    { numRuns: 40 },
  )
})

// Never to change, for the same reason as the random numbers behind it.
test('the interval of a seed', () => {
  const resampled = resampleValues([1, 2, 4, 8, 16], { random: counterRandom(1), resamples: 1000 })
  if (!isAvailable(resampled)) throw new Error('no resamples')
  expect(bootstrapInterval(resampled)).toEqual({
    method: 'percentile',
    level: 0.95,
    low: 1.8,
    high: 11.404999999999996,
  })
})
