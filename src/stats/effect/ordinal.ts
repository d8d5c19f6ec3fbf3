import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { normalCdf } from '../distributions/normal.ts'
import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import { mannWhitneyU } from '../tests/ranks/mann-whitney.ts'

/** P(a > b) + ½ P(a = b) over all pairs, from 0 to 1 (Vargha & Delaney 2000, J. Educ. Behav. Stat. 25:101). */
export function varghaDelaneyA(a: readonly number[], b: readonly number[]): Estimate<number> {
  return whenAvailable(mannWhitneyU(a, b), u => u.probabilityOfSuperiority)
}

/** P(a > b) − P(a < b), from −1 to 1 (Cliff 1993, Psychol. Bull. 114:494). */
export function cliffsDelta(a: readonly number[], b: readonly number[]): Estimate<number> {
  return whenAvailable(mannWhitneyU(a, b), u => (u.uA - u.uB) / (u.uA + u.uB))
}

/** P(a > b) if both were normal (McGraw & Wong 1992, Psychol. Bull. 111:361). */
export function commonLanguageEffect(a: readonly number[], b: readonly number[]): Estimate<number> {
  const reason = firstUnusable([a, b], 2)
  if (reason !== undefined) return reason
  const spread = Math.sqrt(sumOfSquares(a) / (a.length - 1) + sumOfSquares(b) / (b.length - 1))
  return spread === 0 ? unavailable('zero_variance') : normalCdf((meanOf(a) - meanOf(b)) / spread)
}
