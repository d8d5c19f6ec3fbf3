import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ReduceOptions, reduceSeries } from '../../../src/stats/curves/reduce-series.ts'
import { parseReduction } from '../../../src/stats/curves/reduction.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'

const rise = { steps: [0, 10, 20, 40], values: [0, 1, 2, 4] }
const reduce = (text: string, options?: ReduceOptions, series = rise) =>
  reduceSeries(series, parseReduction(text), options)

test('each reduction of a straight line', () => {
  expect(reduce('auc')).toBe(2)
  expect(reduce('slope')).toBeCloseTo(0.1, 12)
  expect(reduce('last')).toBe(4)
  expect(reduce('mean')).toBe(1.75)
  expect(reduce('best')).toBe(4)
  expect(reduce('best', { goal: 'minimize' })).toBe(0)
  expect(reduce('eval-last:2')).toBe(3)
  expect(reduce('eval-last:99')).toBe(1.75)
  expect(reduce('time-to:1.5')).toBe(20)
  expect(reduce('time-to:0', { goal: 'minimize' })).toBe(0)
})

test('on a logarithmic axis every doubling counts the same', () => {
  const doubling = { steps: [1, 2, 4], values: [0, 1, 2] }
  expect(reduce('auc:log-step', {}, doubling)).toBeCloseTo(1, 12)
  expect(reduce('auc:log-step')).toEqual({ unavailable: 'not_positive' })
})

describe('windows', () => {
  const dense = { steps: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100], values: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6] }
  test('a range of steps includes its edges', () => {
    expect(reduce('mean', { window: { kind: 'steps', from: 10, to: 20 } })).toBe(1.5)
  })
  test('half of the steps differs from half of the points', () => {
    expect(reduce('mean', { window: { kind: 'share-of-steps', share: 0.5, which: 'last' } }, dense)).toBe(6)
    expect(reduce('mean', { window: { kind: 'share-of-points', share: 0.5, which: 'last' } }, dense)).toBe(2)
    expect(reduce('mean', { window: { kind: 'share-of-steps', share: 0.1, which: 'first' } }, dense)).toBeCloseTo(
      6 / 11,
    )
    expect(reduce('mean', { window: { kind: 'share-of-points', share: 0.1, which: 'first' } }, dense)).toBe(0)
  })
  test('the slope uses the window too', () => {
    const bend = { steps: [0, 1, 2, 3], values: [0, 5, 6, 7] }
    expect(reduce('slope', { window: { kind: 'steps', from: 1, to: 3 } }, bend)).toBeCloseTo(1, 12)
  })
  test('too few points give no value', () => {
    expect(reduce('mean', { minPoints: 15 })).toEqual({ unavailable: 'too_few_values' })
    expect(reduce('mean', { window: { kind: 'steps', from: 50, to: 60 } })).toEqual({ unavailable: 'no_data' })
    expect(() => reduce('mean', { window: { kind: 'share-of-points', share: 25, which: 'last' } })).toThrow('share')
  })
})

describe('series without an answer', () => {
  const series = (steps: number[], values: number[]) => ({ steps, values })
  test.each([
    ['never reached', 'time-to:9', rise, 'censored'],
    ['empty', 'last', series([], []), 'no_data'],
    ['one point', 'auc', series([1], [1]), 'too_few_values'],
    ['one point', 'slope', series([1], [1]), 'too_few_values'],
    ['one step twice', 'slope', series([1, 1], [1, 2]), 'zero_variance'],
    ['a NaN', 'last', series([1, 2], [1, Number.NaN]), 'not_a_number'],
    ['an infinite value', 'last', series([1, 2], [1, Infinity]), 'infinite_value'],
  ])('%s: %s', (_, text, given, reason) => expect(reduce(text, {}, given)).toEqual({ unavailable: reason }))
  test('decreasing steps, or missing values, are errors', () => {
    expect(() => reduce('last', {}, series([2, 1], [1, 1]))).toThrow('never go back')
    expect(() => reduce('last', {}, series([1, 2], [1]))).toThrow('each of 2 steps')
  })
})

test('a misspelt reduction is reported with the existing ones', () => {
  expect(() => parseReduction('acu')).toThrow('auc, slope, last')
  expect(() => parseReduction('eval-last:0')).toThrow('eval-last:5')
  expect(() => parseReduction('time-to')).toThrow('time-to:0.9')
  expect(() => parseReduction('auc:log')).toThrow('auc:log-step')
})

test('an area lies between the lowest and the highest value, and grows with them', () => {
  const points = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -9, max: 9 })), { minLength: 2 })
  fc.assert(
    fc.property(points, pairs => {
      let step = 0
      const steps = pairs.map(([gap]) => (step += gap))
      const values = pairs.map(([, value]) => value)
      const area = reduce('auc', {}, { steps, values })
      const raised = reduce('auc', {}, { steps, values: values.map(value => value + 1) })
      if (!isAvailable(area) || !isAvailable(raised)) throw new Error('no area')
      expect(area).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9)
      expect(area).toBeLessThanOrEqual(Math.max(...values) + 1e-9)
      expect(raised - area).toBeCloseTo(1, 9)
    }),
  )
})
