import { binomialCdf, binomialProbability } from '../../distributions/binomial.ts'
import { chiSquaredSurvival } from '../../distributions/chi-squared.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'
import { type ExactP, exactP } from '../alternative.ts'

export interface McNemar {
  /** Two-sided, and one-sided for "a is right more often". */
  readonly exact: ExactP
  /** Less conservative, and practically never above its level (Fagerland, Lydersen & Laake 2013, BMC Med. Res. Methodol. 13:91). */
  readonly midP: number
  readonly chiSquared: number
  readonly chiSquaredP: number
  readonly correctedChiSquared: number
  readonly correctedP: number
}

/** Two systems on the same items, from the items that only one of them got right (McNemar 1947, Psychometrika 12:153). */
export function mcnemarTest(onlyA: number, onlyB: number): Estimate<McNemar> {
  requireThat(onlyA >= 0 && onlyB >= 0 && Number.isInteger(onlyA + onlyB), 'counts of items, 0 or more')
  const n = onlyA + onlyB
  if (n === 0) return unavailable('no_discordant_pairs')
  const exact = exactP(binomialCdf(onlyB, n, 0.5), binomialCdf(onlyA, n, 0.5))
  const doubled = 2 * binomialCdf(Math.min(onlyA, onlyB), n, 0.5)
  const chiSquared = (onlyA - onlyB) ** 2 / n
  const correctedChiSquared = Math.max(0, Math.abs(onlyA - onlyB) - 1) ** 2 / n
  return {
    exact,
    midP: Math.min(1, doubled - binomialProbability(onlyA, n, 0.5)),
    chiSquared,
    chiSquaredP: chiSquaredSurvival(chiSquared, 1),
    correctedChiSquared,
    correctedP: chiSquaredSurvival(correctedChiSquared, 1),
  }
}
