import { binomialCdf, binomialProbability } from '../distributions/binomial.ts'
import type { Alternative } from '../tests/alternative.ts'
import { chanceOfRejecting, type Discordance } from './discordant-items.ts'

/**
 * The probability that the mid-p McNemar test on n shared items rejects, over all numbers of discordant items;
 * `greater` tests for items that only the first system gets right.
 */
export function mcnemarMidPPower(
  shares: Discordance,
  n: number,
  { alpha = 0.05, alternative = 'two-sided' }: { readonly alpha?: number; readonly alternative?: Alternative } = {},
): number {
  const level = alternative === 'two-sided' ? alpha : 2 * alpha
  return chanceOfRejecting(shares, n, { alternative, mostLost: m => largestRejecting(m, level), least: 1e-12 })
}

/**
 * The most of m discordant items that the loser may win such that the two-sided test still rejects; −1 if it never
 * does.
 */
function largestRejecting(m: number, alpha: number): number {
  let low = -1
  let high = Math.floor((m - 1) / 2)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (2 * binomialCdf(middle, m, 0.5) - binomialProbability(middle, m, 0.5) <= alpha) low = middle
    else high = middle - 1
  }
  return low
}
