import { expect, test } from 'vitest'
import {
  steadyError,
  studentizeDifference,
  studentizedInterval,
  studentizeMean,
} from '../../../src/stats/bootstrap/studentized.ts'
import { studentizedPValue } from '../../../src/stats/bootstrap/studentized-p-value.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'

const options = () => ({ random: counterRandom(2), resamples: 5000 })

test('with t* of −2, −1, 0, 1, 2 the bounds are estimate − t × standard error', () => {
  const studentized = { estimate: 10, standardError: 2, estimates: [8, 9, 10, 11, 12], standardErrors: [1, 1, 1, 1, 1] }
  expect(studentizedInterval(studentized, { level: 0.5 })).toMatchObject({ low: 8, high: 12, tLow: -1, tHigh: 1 })
  expect(studentizedInterval(studentized, { level: 0.75, alternative: 'greater' })).toMatchObject({
    low: 8,
    high: Infinity,
  })
})

test('resamples without spread are left out and counted, even if rounding hides the zero', () => {
  const studentized = studentizeMean([0.1, 0.7, 1.3], { ...options(), resamples: 900 })
  const interval = isAvailable(studentized) ? studentizedInterval(studentized) : studentized
  if (!isAvailable(interval)) throw new Error('no interval')
  // 3 of the 27 resamples are one value three times.
  expect(interval.dropped).toBeGreaterThan(60)
  expect(interval.dropped).toBeLessThan(140)
  expect(interval.used + interval.dropped).toBe(900)
})

test('has nominal coverage for few normal values, unlike the percentile interval', () => {
  const random = counterRandom(12)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  let covered = 0
  for (let trial = 0; trial < 300; trial++) {
    const values = Array.from({ length: 8 }, normal)
    const studentized = studentizeMean(values, { random, resamples: 500 })
    const interval = isAvailable(studentized) ? studentizedInterval(studentized) : studentized
    if (isAvailable(interval) && interval.low <= 0 && interval.high >= 0) covered++
  }
  expect(covered / 300).toBeGreaterThan(0.91)
})

test('an outlier gives no arbitrary bound: resamples without it use a tenth of the standard error', () => {
  const warmUp = [0.148, 0.0011, 0.0012, 0.001, 0.0013, 0.0011, 0.0012, 0.0011]
  const studentized = studentizeMean(warmUp, options())
  if (!isAvailable(studentized)) throw new Error('no resamples')
  const highest = (leastError: number) => {
    const interval = studentizedInterval(studentized, { leastError })
    return isAvailable(interval) ? interval.high : Number.NaN
  }
  expect(highest(0)).toBeGreaterThan(10)
  expect(highest(steadyError)).toBeLessThan(0.3)
  // Ordinary values never come so low: nothing changes for them.
  const ordinary = studentizeMean([3, 5, 4, 6, 5, 4, 7, 5], options())
  if (!isAvailable(ordinary)) throw new Error('no resamples')
  expect(studentizedInterval(ordinary, { leastError: steadyError })).toEqual(studentizedInterval(ordinary))
})

test('interval and p agree for such values too', () => {
  const studentized = studentizeMean([9, 0.3, 0.2, 0.4, 0.35, 0.25, 0.3, 0.2], options())
  if (!isAvailable(studentized)) throw new Error('no resamples')
  const interval = studentizedInterval(studentized, { leastError: steadyError })
  if (!isAvailable(interval)) throw new Error('no interval')
  const p = (nullValue: number) => Number(studentizedPValue(studentized, { nullValue, leastError: steadyError }))
  expect(p(interval.high * 1.02)).toBeLessThan(0.05)
  expect(p(interval.high * 0.98)).toBeGreaterThan(0.05)
})

test('two arms have the standard error of Welch', () => {
  const studentized = studentizeDifference([1, 2, 3], [10, 20, 30, 40], options())
  if (!isAvailable(studentized)) throw new Error('no resamples')
  expect(studentized.estimate).toBe(-23)
  expect(studentized.standardError).toBeCloseTo(Math.sqrt(1 / 3 + 500 / 3 / 4), 12)
})

test('no spread, no interval', () => {
  expect(studentizeMean([1, 1, 1], options())).toEqual({ unavailable: 'zero_variance' })
  expect(studentizeDifference([1, 1], [1, 1], options())).toEqual({ unavailable: 'zero_variance' })
  const flat = { estimate: 1, standardError: 1, estimates: [1, 1], standardErrors: [0, 0] }
  expect(studentizedInterval(flat)).toEqual({ unavailable: 'zero_variance' })
})
