import { sortedQuantile } from '../../../stats/index.ts'

export interface Spread {
  readonly mean: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

const nothing: Spread = { mean: Number.NaN, p50: Number.NaN, p95: Number.NaN, p99: Number.NaN }

/** Percentiles by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996), as NumPy and R have them. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return nothing
  const sorted = Float64Array.from(values).sort()
  const at = (p: number): number => sortedQuantile(sorted, p)
  return { mean: meanOf(values), p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** As in Cascade's simulator: the value at place floor(q · n), which for small n is the largest. */
export function originalSpreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return nothing
  const sorted = Float64Array.from(values).sort()
  const at = (p: number): number => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN
  return { mean: meanOf(values), p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
