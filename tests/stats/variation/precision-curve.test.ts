import { expect, test } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { precisionCurve, runsForHalfWidth } from '../../../src/stats/variation/precision-curve.ts'

const pilot = [8, 9, 10, 11, 12]

test('the half-width is that of the t interval and shrinks with more runs', () => {
  const curve = precisionCurve(pilot, { upTo: 10 })
  if (!isAvailable(curve)) throw new Error('no curve')
  // t(0.975, 4) = 2.776445…, sd = √2.5.
  expect(curve[3]).toMatchObject({
    runs: 5,
    halfWidth: expect.closeTo((2.7764451052 * Math.sqrt(2.5)) / Math.sqrt(5), 8),
  })
  expect(curve[3]?.relativeStandardError).toBeCloseTo(Math.sqrt(2.5 / 5) / 10, 12)
  const widths = curve.map(point => point.halfWidth)
  expect(widths).toEqual([...widths].sort((one, other) => other - one))
})

test('the runs for a half-width are the fewest that reach it, and more to be sure', () => {
  const needed = runsForHalfWidth(pilot, 1)
  if (!isAvailable(needed)) throw new Error('no number of runs')
  const curve = precisionCurve(pilot, { upTo: needed.runs })
  if (!isAvailable(curve)) throw new Error('no curve')
  expect(curve.at(-1)?.halfWidth).toBeLessThanOrEqual(1)
  expect(curve.at(-2)?.halfWidth).toBeGreaterThan(1)
  expect(needed.runsToBeSure).toBeGreaterThan(needed.runs)
})

test('one run, or identical runs, give no precision', () => {
  expect(precisionCurve([1])).toEqual({ unavailable: 'too_few_values' })
  expect(precisionCurve([1, 1])).toEqual({ unavailable: 'zero_variance' })
  expect(runsForHalfWidth([1, 1], 1)).toEqual({ unavailable: 'zero_variance' })
  expect(precisionCurve([-1, 1])).toMatchObject([{ relativeHalfWidth: { unavailable: 'zero_mean' } }, {}, {}])
})
