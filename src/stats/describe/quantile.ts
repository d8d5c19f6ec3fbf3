import { type Estimate, requireThat } from '../estimate.ts'
import { unusableSums } from './usable.ts'

/**
 * Which of the continuous definitions of Hyndman & Fan 1996 (Am. Stat. 50:361) a quantile follows.
 * 7, linear between order statistics, is what numpy and R give; 8 is nearly unbiased for the median.
 */
export type QuantileType = 4 | 5 | 6 | 7 | 8 | 9

export function quantile(values: readonly number[], p: number, type: QuantileType = 7): Estimate<number> {
  return unusableSums(values) ?? sortedQuantile(sorted(values), p, type)
}

export function median(values: readonly number[]): Estimate<number> {
  return quantile(values, 0.5)
}

/** A copy in increasing order. */
export function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b)
}

/** Of values already in increasing order, at least one. */
export function sortedQuantile(ordered: ArrayLike<number>, p: number, type: QuantileType = 7): number {
  requireThat(p >= 0 && p <= 1, 'a probability between 0 and 1')
  const n = ordered.length
  const position = Math.min(Math.max(positionOf(p, n, type), 1), n)
  // Positions like 0.95 · 20 + 1e-15 are whole numbers up to rounding.
  const whole = Math.floor(position + 4 * Number.EPSILON * n)
  const share = Math.max(0, position - whole)
  const low = ordered[whole - 1] ?? Number.NaN
  const high = ordered[Math.min(whole, n - 1)] ?? Number.NaN
  return share === 0 ? low : low + share * (high - low)
}

/** The position of the quantile among 1 … n. */
function positionOf(p: number, n: number, type: QuantileType): number {
  switch (type) {
    case 4:
      return n * p
    case 5:
      return n * p + 0.5
    case 6:
      return (n + 1) * p
    case 7:
      return (n - 1) * p + 1
    case 8:
      return (n + 1 / 3) * p + 1 / 3
    case 9:
      return (n + 1 / 4) * p + 3 / 8
  }
}
