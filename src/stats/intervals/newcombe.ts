import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import type { Count, PairedCounts } from '../tests/proportions/two-proportions.ts'
import { wilsonInterval } from './proportion.ts'

/** Difference of two independent proportions from their Wilson intervals (Newcombe 1998, Stat. Med. 17:873, method 10). */
export function newcombeInterval(a: Count, b: Count, level = 0.95): Estimate<Interval> {
  return combined(a, b, level, 0)
}

/** Difference of two proportions on the same items (Newcombe 1998, Stat. Med. 17:2635, method 10). */
export function newcombePairedInterval(counts: PairedCounts, level = 0.95): Estimate<Interval> {
  const { both, onlyA, onlyB, neither } = counts
  requireThat(Math.min(both, onlyA, onlyB, neither) >= 0, 'counts of items, 0 or more')
  const n = both + onlyA + onlyB + neither
  if (n === 0) return unavailable('no_data')
  return combined({ successes: both + onlyA, n }, { successes: both + onlyB, n }, level, correlation(counts, n))
}

function combined(a: Count, b: Count, level: number, phi: number): Estimate<Interval> {
  return whenAvailable(wilsonInterval(a, level), ownA =>
    whenAvailable(wilsonInterval(b, level), ownB => {
      const shareA = a.successes / a.n
      const shareB = b.successes / b.n
      const below = distance(shareA - ownA.low, ownB.high - shareB, phi)
      const above = distance(ownA.high - shareA, shareB - ownB.low, phi)
      return { level, low: shareA - shareB - below, high: shareA - shareB + above }
    }),
  )
}

function distance(own: number, other: number, phi: number): number {
  return Math.sqrt(Math.max(0, own * own - 2 * phi * own * other + other * other))
}

/** φ with Newcombe's continuity correction: half the number of items off a positive determinant, never past 0. */
function correlation({ both, onlyA, onlyB, neither }: PairedCounts, n: number): number {
  const margins = (both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither)
  if (margins === 0) return 0
  const determinant = both * neither - onlyA * onlyB
  const corrected = determinant > 0 ? Math.max(0, determinant - n / 2) : determinant
  return corrected / Math.sqrt(margins)
}
