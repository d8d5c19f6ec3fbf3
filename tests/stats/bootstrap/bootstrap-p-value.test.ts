import { expect, test } from 'vitest'
import { bootstrapPValue } from '../../../src/stats/bootstrap/bootstrap-p-value.ts'

test('counts itself as one resample, so p is never 0', () => {
  expect(bootstrapPValue([1, 2, 3, 4])).toBeCloseTo(2 / 5, 12)
  expect(bootstrapPValue([1, 2, 3, 4], { alternative: 'greater' })).toBeCloseTo(1 / 5, 12)
  expect(bootstrapPValue([1, 2, 3, 4], { alternative: 'less' })).toBe(1)
  expect(bootstrapPValue([1, 2, 3, 4], { nullValue: 2.5 })).toBe(1)
})

test('the published form is neither counted nor capped', () => {
  expect(bootstrapPValue([1, 2, 3, 4], { form: 'published' })).toBe(0)
  expect(bootstrapPValue([-1, 0, 0, 1], { form: 'published' })).toBe(1.5)
})

test('resamples that all equal the null give no p', () => {
  expect(bootstrapPValue([0, 0])).toEqual({ unavailable: 'zero_variance' })
  expect(bootstrapPValue([])).toEqual({ unavailable: 'no_data' })
  expect(bootstrapPValue([1, Number.NaN])).toEqual({ unavailable: 'not_a_number' })
})
