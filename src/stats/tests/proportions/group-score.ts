import { binomialProbability, binomialSurvival } from '../../distributions/binomial.ts'
import { normalSurvival } from '../../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'
import type { Interval } from '../../interval.ts'
import { type Alternative, requireLevel, sidedP } from '../alternative.ts'
import { scoreEnd } from './score-end.ts'
import { type Count, requireCount } from './two-proportions.ts'

/**
 * Two groups, right or wrong: whether the difference of their shares is above or below a given one.
 *
 * The statistic is the score of Miettinen & Nurminen (1985, Stat. Med. 4:213) and Farrington & Manning (1990, Stat. Med. 9:1447).
 * Its p is no normal tail but the chance of all outcomes at least as extreme, summed over both groups (an unconditional test, as
 * Chan 1998, Stat. Med. 17:1403). That chance depends on the share of the second group, which nobody knows: the estimate under the
 * hypothesis and points up to two standard errors to either side are tried, and the largest counts (the interval of Berger & Boos
 * 1994, JASA 89:1012, without its penalty). docs/calibration.md has the exact error that this comes to.
 */
export interface GroupScore {
  readonly estimate: number
  readonly z: number
  readonly p: number
}

export function groupScoreTest(
  a: Count,
  b: Count,
  {
    difference = 0,
    alternative = 'two-sided',
  }: { readonly difference?: number; readonly alternative?: Alternative } = {},
): Estimate<GroupScore> {
  requireThat(Math.abs(difference) < 1, 'a difference of shares between −1 and 1')
  const reason = missing(a, b)
  if (reason !== null) return reason
  const above = () => chanceAboveInGroups(a, b, difference)
  const below = () => chanceAboveInGroups(b, a, -difference)
  const z = scoreOf(a, b, difference)
  const p = sidedP(alternative, z > 0, above, below)
  return { estimate: a.successes / a.n - b.successes / b.n, z, p }
}

/** All differences that the test would not reject on either side. */
export function groupScoreInterval(a: Count, b: Count, level = 0.95): Estimate<Interval> {
  requireLevel(level)
  const reason = missing(a, b)
  if (reason !== null) return reason
  const tail = (1 - level) / 2
  return { level, low: lowEnd(a, b, tail), high: -lowEnd(b, a, tail) }
}

function missing(a: Count, b: Count) {
  requireCount(a)
  requireCount(b)
  return a.n === 0 || b.n === 0 ? unavailable('no_data') : null
}

const lowEnd = (a: Count, b: Count, tail: number): number =>
  scoreEnd(
    {
      estimate: a.successes / a.n - b.successes / b.n,
      chanceAbove: difference => chanceAboveInGroups(a, b, difference),
      normalTail: difference => normalSurvival(scoreOf(a, b, difference)),
    },
    tail,
  )

/** The points at which the probability is computed, in standard errors of the second group's share. */
const tried = [0, -0.5, 0.5, -1, 1, -1.5, 1.5, -2, 2]

/** The probability of an outcome at least as far above `difference`, if that is the true one. */
export function chanceAboveInGroups(a: Count, b: Count, difference: number): number {
  const [least, most] = [Math.max(0, -difference), Math.min(1, 1 - difference)]
  if (!(most > least)) return Number.MIN_VALUE
  const own = restricted(a, b, difference)
  const inside = (share: number, n: number): number => Math.min(1 - 1 / (2 * n), Math.max(1 / (2 * n), share))
  const [p, q] = [inside(own + difference, a.n), inside(own, b.n)]
  const error = 1 / Math.sqrt(a.n / (p * (1 - p)) + b.n / (q * (1 - q)))
  const shares = [...new Set(tried.map(step => Math.min(most, Math.max(least, own + step * error))))]
  const score = scoreOf(a, b, difference)
  const from = Math.min(...shares.map(share => likely(b.n, share).from))
  const to = Math.max(...shares.map(share => likely(b.n, share).to))
  const fewest = fewestFrom(score, { a: a.n, b: b.n, difference }, from, to)
  const chances = shares.map(share => summed(fewest, from, { a: a.n, b: b.n }, share + difference, share))
  return Math.min(1, Math.max(Number.MIN_VALUE, ...chances))
}

interface Design {
  readonly a: number
  readonly b: number
  readonly difference: number
}

/** For each number of successes in b, the fewest in a with a score of at least this; it grows with b. */
function fewestFrom(score: number, { a, b, difference }: Design, from: number, to: number): Int32Array {
  const least = score - 1e-9 * Math.max(1, Math.abs(score))
  const isIn = (own: number, other: number): boolean =>
    scoreOf({ successes: own, n: a }, { successes: other, n: b }, difference) >= least
  const fewest = new Int32Array(to - from + 1)
  let own = firstIn(count => isIn(count, from), a)
  for (let other = from; other <= to; other++) {
    while (own <= a && !isIn(own, other)) own++
    fewest[other - from] = own
  }
  return fewest
}

/** By bisection: the condition stays true once it is. */
function firstIn(isIn: (count: number) => boolean, n: number): number {
  let [low, high] = [-1, n + 1]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isIn(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * The probability of each number of b's successes times the probability that a has enough; from the last to the first,
 * so that terms are only added.
 */
function summed(
  fewest: Int32Array,
  from: number,
  { a, b }: Pick<Design, 'a' | 'b'>,
  shareA: number,
  shareB: number,
): number {
  const p = Math.min(1, Math.max(0, shareA))
  const { from: first, to: last } = likely(b, shareB)
  const odds = (1 - p) / p
  const oddsB = (1 - shareB) / shareB
  let [chance, least, survival, probability, weight] = [0, 0, 0, 0, 0]
  for (let other = last; other >= first; other--) {
    weight = weight > 1e-280 ? weight * ((other + 1) / (b - other)) * oddsB : binomialProbability(other, b, shareB)
    const next = fewest[other - from] ?? 0
    // Too small to multiply further: recomputed.
    if (other === last || !(probability > 1e-280) || !(p > 0 && p < 1)) {
      least = next
      survival = least === 0 ? 1 : binomialSurvival(least - 1, a, p)
      probability = least > a ? 0 : binomialProbability(least, a, p)
    } else
      for (; least > next; least--) {
        probability *= (least / (a - least + 1)) * odds
        survival += probability
      }
    chance += weight * Math.min(1, survival)
  }
  return chance
}

/** Outcomes outside never occur. */
function likely(n: number, share: number): { readonly from: number; readonly to: number } {
  const reach = 12 * Math.sqrt(n * share * (1 - share)) + 40
  return { from: Math.max(0, Math.floor(n * share - reach)), to: Math.min(n, Math.ceil(n * share + reach)) }
}

export function scoreOf(a: Count, b: Count, difference: number): number {
  const other = restricted(a, b, difference)
  const own = other + difference
  const variance = (own * (1 - own)) / a.n + (other * (1 - other)) / b.n
  const distance = a.successes / a.n - b.successes / b.n - difference
  // If the hypothesis has no variance, data that agree with it have no direction, and any others rule it out.
  if (variance > 1e-15) return distance / Math.sqrt(variance)
  return Math.abs(distance) < 1e-12 ? 0 : distance * 1e9
}

/**
 * The most likely share of the second group if the difference is the given one: the root of a cubic (Farrington &
 * Manning 1990).
 */
function restricted(a: Count, b: Count, difference: number): number {
  const total = a.n + b.n
  const successes = a.successes + b.successes
  if (difference === 0) return successes / total
  const squared = ((a.n + 2 * b.n) * difference - total - successes) / total
  const linear = ((b.n * difference - total - 2 * b.successes) * difference + successes) / total
  const constant = (b.successes * difference * (1 - difference)) / total
  const half = squared ** 3 / 27 - (linear * squared) / 6 + constant / 2
  const size = Math.sqrt(Math.max(0, squared ** 2 / 9 - linear / 3)) * (half < 0 ? -1 : 1)
  const cosine = size === 0 ? 0 : Math.min(1, Math.max(-1, half / size ** 3))
  const root = 2 * size * Math.cos((Math.PI + Math.acos(cosine)) / 3) - squared / 3
  return Math.min(1, 1 - difference, Math.max(0, -difference, root))
}
