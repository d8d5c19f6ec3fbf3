import { binomialProbability } from '../distributions/binomial.ts'
import { hypergeometricProbability } from '../distributions/hypergeometric.ts'
import type { Alternative } from '../tests/alternative.ts'

/** The probability that the test finds the difference between two success rates. */
export type FisherPower = (rateA: number, rateB: number) => number

/**
 * The power of Fisher's test with mid-p (Lancaster 1961) on shares of two groups, summed over outcomes: the test that
 * `compare` uses, one-sided or two-sided. The rejected outcomes do not depend on the rates, so they are computed once
 * for two sizes of groups.
 */
export function fisherMidPPower(nA: number, nB: number, alpha: number, alternative: Alternative): FisherPower {
  const regions = new Map<number, Region>()
  const regionOf = (total: number): Region => {
    const known = regions.get(total)
    if (known !== undefined) return known
    const region = rejected({ nA, nB, total }, alpha, alternative)
    regions.set(total, region)
    return region
  }
  return (rateA, rateB) => {
    const a = likelyOutcomes(nA, rateA)
    const b = likelyOutcomes(nB, rateB)
    let power = 0
    for (let total = a.from + b.from; total <= a.to + b.to; total++) {
      const { low, high } = regionOf(total)
      const first = Math.max(a.from, total - b.to)
      const last = Math.min(a.to, total - b.from)
      for (let k = first; k <= Math.min(last, low); k++) power += a.at(k) * b.at(total - k)
      for (let k = Math.max(first, high); k <= last; k++) power += a.at(k) * b.at(total - k)
    }
    return Math.min(1, power)
  }
}

/** Successes of the first group that are significant: up to `low` and from `high` on. */
interface Region {
  readonly low: number
  readonly high: number
}

interface Margins {
  readonly nA: number
  readonly nB: number
  /** Successes in both groups. */
  readonly total: number
}

/** Tables become less likely away from the middle: they are added from both ends inwards, the least likely first. */
function rejected(margins: Margins, alpha: number, alternative: Alternative): Region {
  const { from, probabilities } = tablesWith(margins)
  const at = (k: number): number => probabilities[k - from] ?? 0
  let low = from - 1
  let high = from + probabilities.length
  let tail = 0
  while (low + 1 < high) {
    const [left, right] = [at(low + 1), at(high - 1)]
    // Equally likely tables differ by rounding, as in the test itself.
    const takesLeft = alternative === 'less' || (alternative === 'two-sided' && left <= right * (1 + 1e-9))
    const takesRight = alternative === 'greater' || (alternative === 'two-sided' && right <= left * (1 + 1e-9))
    const isOneTable = low + 1 === high - 1
    const reached = tail + (takesLeft ? left : 0) + (takesRight && !(takesLeft && isOneTable) ? right : 0)
    const p = reached - (takesLeft ? left : right) / 2
    // A p equal to alpha up to rounding does not count.
    if (p > alpha * (1 - 1e-9)) break
    tail = reached
    if (takesLeft) low++
    if (takesRight) high--
  }
  return { low: alternative === 'greater' ? -1 : low, high: alternative === 'less' ? margins.nA + 1 : high }
}

/** Below this, compared with the most likely, nothing adds to a sum. */
const negligible = 1e-17

/** The probabilities of the tables that matter, by ratios of neighbours from the most likely one. */
function tablesWith({ nA, nB, total }: Margins): { readonly from: number; readonly probabilities: readonly number[] } {
  const least = Math.max(0, total - nB)
  const most = Math.min(nA, total)
  const middle = Math.min(most, Math.max(least, Math.floor(((total + 1) * (nA + 1)) / (nA + nB + 2))))
  const peak = hypergeometricProbability(middle, nA, nB, total)
  const above: number[] = []
  for (let k = middle, p = peak; k < most && p > negligible * peak; k++) {
    p *= ((nA - k) * (total - k)) / ((k + 1) * (nB - total + k + 1))
    above.push(p)
  }
  const below: number[] = []
  for (let k = middle, p = peak; k > least && p > negligible * peak; k--) {
    p *= (k * (nB - total + k)) / ((nA - k + 1) * (total - k + 1))
    below.push(p)
  }
  return { from: middle - below.length, probabilities: [...below.reverse(), peak, ...above] }
}

/** Outcomes further from the mean than this many sd, and a few more if there are few, never occur. */
const farOut = 8

function likelyOutcomes(
  n: number,
  rate: number,
): { readonly from: number; readonly to: number; readonly at: (k: number) => number } {
  const reach = farOut * Math.sqrt(n * rate * (1 - rate)) + (rate > 0 && rate < 1 ? 25 : 0)
  const from = Math.max(0, Math.floor(n * rate - reach))
  const to = Math.min(n, Math.ceil(n * rate + reach))
  const chances = Array.from({ length: to - from + 1 }, (_, at) => binomialProbability(from + at, n, rate))
  return { from, to, at: k => chances[k - from] ?? 0 }
}
