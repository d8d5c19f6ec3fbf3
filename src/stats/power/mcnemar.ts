import { binomialCdf } from '../distributions/binomial.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import { chanceOfRejecting, type Discordance } from './discordant-items.ts'

/**
 * The probability that the exact two-sided McNemar test on n shared items rejects, over all numbers of discordant
 * items.
 */
export function mcnemarPower({ onlyA, onlyB }: Discordance, n: number, alpha = 0.05): number {
  requireThat(onlyA >= 0 && onlyB >= 0 && onlyA + onlyB <= 1, 'shares of items that add up to at most 1')
  const mostLost = (discordant: number): number => largestRejecting(discordant, alpha)
  return chanceOfRejecting({ onlyA, onlyB }, n, { alternative: 'two-sided', mostLost, least: 1e-18 })
}

/** Shared items needed, by the normal approximation of Connor 1987 (Biometrics 43:207). Fractional. */
export function mcnemarSampleSize(
  { onlyA, onlyB }: Discordance,
  { alpha = 0.05, power = 0.8 }: { alpha?: number; power?: number } = {},
): Estimate<number> {
  const discordant = onlyA + onlyB
  const difference = onlyA - onlyB
  if (difference === 0) return unavailable('zero_effect')
  const underNull = -normalQuantile(alpha / 2) * Math.sqrt(discordant)
  const underEffect = normalQuantile(power) * Math.sqrt(discordant - difference ** 2)
  return ((underNull + underEffect) / difference) ** 2
}

/** The most of m discordant items that the loser may win such that the test still rejects; −1 if it never does. */
function largestRejecting(m: number, alpha: number): number {
  let low = -1
  let high = Math.floor((m - 1) / 2)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (2 * binomialCdf(middle, m, 0.5) <= alpha) low = middle
    else high = middle - 1
  }
  return low
}
