import { expect, test } from 'vitest'
import { originalSpreadOf, spreadOf } from '../../../../src/targets/sched-sim/output/percentile.ts'

const oneToFive = [5, 1, 4, 2, 3]
const oneToHundred = Array.from({ length: 100 }, (_, index) => index + 1)

test('percentiles interpolate between neighbours (type 7)', () => {
  expect(spreadOf(oneToFive)).toEqual({ mean: 3, p50: 3, p95: 4.8, p99: 4.96 })
  const { p50, p95, p99 } = spreadOf(oneToHundred)
  expect(p50).toBeCloseTo(50.5, 12)
  expect(p95).toBeCloseTo(95.05, 12)
  expect(p99).toBeCloseTo(99.01, 12)
})

test('those of agent_sched_sim are the value at index floor(q · n)', () => {
  expect(originalSpreadOf(oneToFive)).toEqual({ mean: 3, p50: 3, p95: 5, p99: 5 })
  expect(originalSpreadOf(oneToHundred)).toEqual({ mean: 50.5, p50: 51, p95: 96, p99: 100 })
})

test('don’t exist for no values', () => {
  for (const spread of [spreadOf([]), originalSpreadOf([])])
    expect(spread).toEqual({ mean: Number.NaN, p50: Number.NaN, p95: Number.NaN, p99: Number.NaN })
})
