import { binomialCdf, binomialProbability, binomialSurvival } from '../distributions/binomial.ts'
import { normalQuantile } from '../distributions/normal.ts'
import type { Alternative } from '../tests/alternative.ts'
import { chanceAboveInGroups, scoreOf } from '../tests/proportions/group-score.ts'

/** The probability that the test finds the difference between two success rates. */
export type GroupScorePower = (rateA: number, rateB: number) => number

/**
 * The power of the unconditional score test on shares of two groups, summed over outcomes: the test that `compare`
 * uses. The rejected outcomes do not depend on the rates, so they are computed once for two sizes of groups.
 */
export function groupScorePower(nA: number, nB: number, alpha: number, alternative: Alternative): GroupScorePower {
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  const above = remembered(b => fewestAbove(b, nA, nB, tail))
  // Fewer successes of a are more failures.
  const below = remembered(b => nA - fewestAbove(nB - b, nA, nB, tail))
  return (rateA, rateB) => {
    const reach = 7 * Math.sqrt(nB * rateB * (1 - rateB)) + 1
    let power = 0
    for (let b = Math.max(0, Math.floor(nB * rateB - reach)); b <= Math.min(nB, Math.ceil(nB * rateB + reach)); b++) {
      const weight = binomialProbability(b, nB, rateB)
      if (weight < 1e-10) continue
      if (alternative !== 'less') power += weight * binomialSurvival(above(b) - 1, nA, rateA)
      if (alternative !== 'greater') power += weight * binomialCdf(below(b), nA, rateA)
    }
    return Math.min(1, power)
  }
}

function remembered(of: (b: number) => number): (b: number) => number {
  const known = new Map<number, number>()
  return b => {
    const found = known.get(b) ?? of(b)
    known.set(b, found)
    return found
  }
}

/** With more successes and failures than this the normal tail gives the same limit, give or take a run. */
const mostListed = 400

/** The fewest successes of a that are significantly more than b; one more than there are runs if none are. */
function fewestAbove(b: number, nA: number, nB: number, tail: number): number {
  const needed = -normalQuantile(tail)
  const score = (a: number): number => scoreOf({ successes: a, n: nA }, { successes: b, n: nB }, 0)
  let [low, high] = [Math.floor((b * nA) / nB), nA + 1]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (score(middle) >= needed) high = middle
    else low = middle
  }
  if (Math.min(b + high, nA + nB - b - high) > mostListed) return high
  const isRejected = (a: number): boolean =>
    chanceAboveInGroups({ successes: a, n: nA }, { successes: b, n: nB }, 0) <= tail
  while (high <= nA && !isRejected(high)) high++
  while (high > 0 && isRejected(high - 1)) high--
  return high
}
