import { sorted, sortedQuantile } from '../describe/quantile.ts'
import { requireThat } from '../estimate.ts'

/**
 * p values adjusted for their number and for the dependence of the tests (Westfall & Young 1993, algorithm 4.1:
 * step-down max-T). `resampled` has a row per resample under the null hypothesis and a column per test; large absolute
 * statistics are evidence against it. The observed data counts as one resample, so that no p is 0.
 */
export function maxTAdjusted(observed: readonly number[], resampled: readonly (readonly number[])[]): number[] {
  requireRows(observed.length, resampled)
  const order = observed.map((_, at) => at).sort((a, b) => sizeOf(observed, b) - sizeOf(observed, a))
  const hits = new Array<number>(order.length).fill(1)
  for (const row of resampled) {
    let largest = 0
    for (let rank = order.length - 1; rank >= 0; rank--) {
      const at = order[rank] ?? 0
      largest = Math.max(largest, sizeOf(row, at))
      if (largest >= sizeOf(observed, at) * (1 - 1e-12)) hits[rank] = (hits[rank] ?? 0) + 1
    }
  }
  const adjusted = new Array<number>(order.length)
  let last = 0
  for (const [rank, at] of order.entries()) {
    last = Math.max(last, (hits[rank] ?? 1) / (resampled.length + 1))
    adjusted[at] = last
  }
  return adjusted
}

/**
 * The number of standard errors at which all intervals hold together: the quantile of each resample's largest
 * statistic.
 */
export function simultaneousCriticalValue(resampled: readonly (readonly number[])[], level = 0.95): number {
  requireThat(resampled.length > 0, 'at least one resample')
  const largest = resampled.map(row => row.reduce((most, value) => Math.max(most, Math.abs(value)), 0))
  return sortedQuantile(sorted(largest), level)
}

function requireRows(width: number, rows: readonly (readonly number[])[]): void {
  requireThat(
    rows.every(row => row.length === width),
    `a statistic for each of the ${width} tests in every resample`,
  )
}

function sizeOf(statistics: readonly number[], at: number): number {
  return Math.abs(statistics[at] ?? 0)
}
