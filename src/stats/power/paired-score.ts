import { binomialCdf, binomialProbability } from '../distributions/binomial.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { requireThat } from '../estimate.ts'
import type { Alternative } from '../tests/alternative.ts'
import { chanceAbove } from '../tests/proportions/paired-score.ts'
import type { Discordance } from './mcnemar.ts'

/** The chance that the test finds the difference between two systems with these shares of discordant items. */
export type PairedScorePower = (shares: Discordance) => number

/**
 * The power of the unconditional score test on n shared items, summed over outcomes: what `compare` does on pairs of yes and no.
 * What is rejected does not depend on the shares, so that it is found once. `greater` looks for items that only the first system
 * gets right.
 */
export function pairedScorePower(n: number, alpha: number, alternative: Alternative): PairedScorePower {
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  const critical = new Map<number, number>()
  const criticalOf = (discordant: number): number => {
    const known = critical.get(discordant) ?? mostLost(discordant, n, tail)
    critical.set(discordant, known)
    return known
  }
  return ({ onlyA, onlyB }) => {
    const discordant = onlyA + onlyB
    // Halves of a share and a difference may miss 0 and 1 by a rounding.
    requireThat(onlyA > -1e-9 && onlyB > -1e-9 && discordant < 1 + 1e-9, 'shares of items that add up to at most 1')
    if (discordant <= 0) return 0
    const share = Math.min(1, Math.max(0, onlyA / discordant))
    let power = 0
    for (let m = 1; m <= n; m++) {
      const weight = binomialProbability(m, n, Math.min(1, discordant))
      if (weight < 1e-9) continue
      const lost = criticalOf(m)
      if (lost < 0) continue
      if (alternative !== 'greater') power += weight * binomialCdf(lost, m, share)
      if (alternative !== 'less') power += weight * binomialCdf(lost, m, 1 - share)
    }
    return Math.min(1, power)
  }
}

/** With more discordant items than this the normal tail draws the same line, give or take an item. */
const mostListed = 400

/** The most of m discordant items that the winner may lose, for the test to reject still; −1 if it never does. */
function mostLost(m: number, n: number, tail: number): number {
  const guess = Math.max(-1, Math.floor((m + normalQuantile(tail) * Math.sqrt(m)) / 2))
  if (m > mostListed) return guess
  const isRejected = (lost: number): boolean => chanceAbove(m - lost, lost, n, 0) <= tail
  let lost = guess
  while (lost >= 0 && !isRejected(lost)) lost--
  while (2 * (lost + 1) < m && isRejected(lost + 1)) lost++
  return lost
}
