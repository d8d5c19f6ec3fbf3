import { binomialCdf, binomialProbability } from '../distributions/binomial.ts'
import { requireThat } from '../estimate.ts'
import type { Alternative } from '../tests/alternative.ts'
import type { Discordance } from './mcnemar.ts'

/**
 * The chance that the mid-p McNemar test on n shared items rejects, over all numbers of discordant items; `greater` looks for
 * items that only the first system gets right.
 */
export function mcnemarMidPPower(
  { onlyA, onlyB }: Discordance,
  n: number,
  { alpha = 0.05, alternative = 'two-sided' }: { readonly alpha?: number; readonly alternative?: Alternative } = {},
): number {
  const discordant = onlyA + onlyB
  // Halves of a share and a difference may miss 0 and 1 by a rounding.
  requireThat(onlyA > -1e-9 && onlyB > -1e-9 && discordant < 1 + 1e-9, 'shares of items that add up to at most 1')
  if (discordant <= 0) return 0
  const share = Math.min(1, Math.max(0, onlyA / discordant))
  let power = 0
  for (let m = 1; m <= n; m++) {
    const weight = binomialProbability(m, n, Math.min(1, discordant))
    if (weight < 1e-12) continue
    const critical = largestRejecting(m, alternative === 'two-sided' ? alpha : 2 * alpha)
    if (critical < 0) continue
    const [lost, won] = [binomialCdf(critical, m, share), binomialCdf(critical, m, 1 - share)]
    power += weight * ((alternative === 'greater' ? 0 : lost) + (alternative === 'less' ? 0 : won))
  }
  return Math.min(1, power)
}

/** The most of m discordant items that the loser may win, for the two-sided test to reject still; −1 if it never does. */
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
