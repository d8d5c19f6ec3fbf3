import { expect, test } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { bootstrapCvCurve } from '../../../src/stats/variation/bootstrap-cv-curve.ts'
import { cvCurve } from '../../../src/stats/variation/cv-curve.ts'
import { cvBound, cvInterval } from '../../../src/stats/variation/cv-interval.ts'
import { cvOrderBand } from '../../../src/stats/variation/cv-order-band.ts'
import { runsForCv } from '../../../src/stats/variation/runs-for-cv.ts'

const luckyStart = [10, 10.1, 14, 7, 11, 10.5]

test('the sequential curve: first below is luck, stable below is not fooled', () => {
  const { cv, firstBelow, stableBelow } = cvCurve(luckyStart, 0.05)
  expect(cv[0]).toEqual({ unavailable: 'too_few_values' })
  expect(cv[1]).toBeCloseTo(Math.sqrt(0.005) / 10.05, 12)
  expect(firstBelow).toBe(2)
  expect(stableBelow).toBeNull()
  expect(cvCurve([5, 9, 5.1, 5, 5, 5, 5, 5, 5, 5], 0.5)).toMatchObject({ firstBelow: 2, stableBelow: 2 })
})

test('a mean of 0 has no CV, whatever the scale of the values', () => {
  expect(cvCurve([1e-12, -1e-12]).cv[1]).toEqual({ unavailable: 'zero_mean' })
  expect(cvCurve([1e-12, 3e-12]).cv[1]).toBeCloseTo(Math.sqrt(2) / 2, 12)
})

test('resampled curve: two values drawn from two are a pair or the same value twice', () => {
  const { points } = bootstrapCvCurve([1, 3], { random: counterRandom(1), resamples: 20_000 })
  expect(points[0]).toEqual({ unavailable: 'too_few_values' })
  // Half of the resamples have CV √2 / 2, half have 0.
  expect(points[1]).toMatchObject({ mean: expect.closeTo(Math.SQRT2 / 4, 2), low: 0 })
  expect(bootstrapCvCurve([1, -1], { random: counterRandom(1) }).points[1]).toEqual({ unavailable: 'zero_mean' })
})

// From the noncentral t of scipy, inverted by root finding.
test.each([
  [0.2, 10, 0.13616550234, 0.37815246518],
  [0.5, 8, 0.31081085022, 1.34505763498],
  [0.15, 15, 0.10924751579, 0.23981726249],
])('bounds of a CV of %f in %i values are exact', (cv, size, low, high) => {
  expect(cvBound(cv, size, 0.975)).toBeCloseTo(low, 8)
  expect(cvBound(cv, size, 0.025)).toBeCloseTo(high, 8)
})

test('small CVs are bounded by an approximation that agrees with the exact bounds', () => {
  expect(cvBound(0.05, 15, 0.975) / 0.0365849104946234).toBeCloseTo(1, 5)
  expect(cvBound(0.05, 15, 0.025) / 0.0789754245289428).toBeCloseTo(1, 4)
})

test('the interval holds the estimate; a mean that may be 0 leaves it open above', () => {
  const interval = cvInterval([9, 10, 11, 12])
  if (!isAvailable(interval)) throw new Error('no interval')
  expect(interval.low).toBeLessThan(interval.estimate)
  expect(interval.high).toBeGreaterThan(interval.estimate)
  expect(cvInterval([-4, 1, 6])).toMatchObject({ high: Infinity })
  expect(cvInterval([1])).toEqual({ unavailable: 'too_few_values' })
})

test('a lucky pair is not called stable; many close runs are', () => {
  expect(runsForCv(luckyStart).firstUpperBelow).toBeNull()
  const close = Array.from({ length: 15 }, (_, at) => 100 + Math.sin(at))
  const { firstUpperBelow, upperBounds } = runsForCv(close)
  expect(firstUpperBelow).toBeGreaterThan(2)
  expect(upperBounds[0]).toEqual({ unavailable: 'too_few_values' })
  expect(runsForCv([5, 5, 5]).upperBounds[2]).toEqual({ unavailable: 'zero_variance' })
})

test('the band over orders closes at the last run', () => {
  const band = cvOrderBand(luckyStart, { random: counterRandom(4), orders: 300 })
  const [, second, , , , last] = band
  if (second === undefined || last === undefined || !isAvailable(second) || !isAvailable(last))
    throw new Error('no band')
  expect(last.high - last.low).toBeLessThan(1e-12)
  expect(second.high - second.low).toBeGreaterThan(0.1)
  expect(band[0]).toEqual({ unavailable: 'too_few_values' })
})
