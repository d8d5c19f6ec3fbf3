import { binomialCdf, binomialProbability } from '../distributions/binomial.ts'
import { requireThat } from '../estimate.ts'
import type { Alternative } from '../tests/alternative.ts'

/** The shares of items that only one of the two systems gets right. */
export interface Discordance {
  readonly onlyA: number
  readonly onlyB: number
}

/**
 * The probability that a test on n shared items rejects, over all numbers of discordant items. `mostLost`: how many of
 * these discordant items the winner may lose such that the test still rejects; −1 if it never does. `greater` tests for
 * items that only the first system gets right. Numbers of items that are less likely than `least` are left out.
 */
export function chanceOfRejecting(
  { onlyA, onlyB }: Discordance,
  n: number,
  {
    alternative,
    mostLost,
    least,
  }: { readonly alternative: Alternative; readonly mostLost: (discordant: number) => number; readonly least: number },
): number {
  const discordant = onlyA + onlyB
  // Halves of a share and a difference may miss 0 and 1 by rounding.
  requireThat(onlyA > -1e-9 && onlyB > -1e-9 && discordant < 1 + 1e-9, 'shares of items that add up to at most 1')
  if (discordant <= 0) return 0
  const share = Math.min(1, Math.max(0, onlyA / discordant))
  let power = 0
  for (let m = 1; m <= n; m++) {
    const weight = binomialProbability(m, n, Math.min(1, discordant))
    if (weight < least) continue
    const lost = mostLost(m)
    if (lost < 0) continue
    if (alternative !== 'greater') power += weight * binomialCdf(lost, m, share)
    if (alternative !== 'less') power += weight * binomialCdf(lost, m, 1 - share)
  }
  return Math.min(1, power)
}
