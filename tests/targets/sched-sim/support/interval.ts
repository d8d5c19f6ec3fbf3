import { expect } from 'vitest'
import { studentTQuantile } from '../../../../src/stats/distributions/student-t.ts'

/** The expected mean is in the replications' own 99% interval, and that interval is narrow enough. */
export function expectWithin99(values: readonly number[], expected: number): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  const half = studentTQuantile(0.995, values.length - 1) * Math.sqrt(variance / values.length)
  expect(half, 'half of the interval').toBeLessThan(0.15 * expected)
  expect(Math.abs(mean - expected), `mean ${mean}, expected ${expected} within ${half}`).toBeLessThan(half)
}
