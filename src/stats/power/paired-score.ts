import { normalQuantile } from '../distributions/normal.ts'
import type { Alternative } from '../tests/alternative.ts'
import { chanceAbove } from '../tests/proportions/paired-score.ts'
import { chanceOfRejecting, type Discordance } from './discordant-items.ts'

/** The probability that the test finds the difference between two systems with these shares of discordant items. */
export type PairedScorePower = (shares: Discordance) => number

/**
 * The power of the unconditional score test on n shared items, summed over outcomes: the test that `compare` uses on
 * pairs of yes and no. The rejected outcomes do not depend on the shares, so they are computed once. `greater` tests
 * for items that only the first system gets right.
 */
export function pairedScorePower(n: number, alpha: number, alternative: Alternative): PairedScorePower {
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  const critical = new Map<number, number>()
  const criticalOf = (discordant: number): number => {
    const known = critical.get(discordant) ?? mostLost(discordant, n, tail)
    critical.set(discordant, known)
    return known
  }
  return shares => chanceOfRejecting(shares, n, { alternative, mostLost: criticalOf, least: 1e-9 })
}

/** With more discordant items than this the normal tail gives the same limit, give or take an item. */
const mostListed = 400

/** The most of m discordant items that the winner may lose such that the test still rejects; −1 if it never does. */
function mostLost(m: number, n: number, tail: number): number {
  const guess = Math.max(-1, Math.floor((m + normalQuantile(tail) * Math.sqrt(m)) / 2))
  if (m > mostListed) return guess
  const isRejected = (lost: number): boolean => chanceAbove(m - lost, lost, n, 0) <= tail
  let lost = guess
  while (lost >= 0 && !isRejected(lost)) lost--
  while (2 * (lost + 1) < m && isRejected(lost + 1)) lost++
  return lost
}
