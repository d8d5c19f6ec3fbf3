import { binomialProbability, binomialSurvival } from '../../distributions/binomial.ts'
import { normalSurvival } from '../../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'
import type { Interval } from '../../interval.ts'
import { type Alternative, requireLevel, sidedP } from '../alternative.ts'
import { scoreEnd } from './score-end.ts'
import type { PairedCounts } from './two-proportions.ts'

/**
 * Two systems on the same items, right or wrong: whether the difference of their shares is above or below a given one.
 *
 * The statistic is Tango's score (1998, Stat. Med. 17:891). Its p is no normal tail but the chance of all outcomes at least as
 * extreme, summed over both kinds of discordant items (an unconditional test, as Hsueh, Liu & Chen 2001, Biometrics 57:478). That
 * chance depends on how many items are discordant, which nobody knows: the estimate under the hypothesis and one standard error
 * to either side are tried, and the largest counts. Summed over all outcomes, a true difference at a margin of 1 to 10 points is
 * called smaller in at most 5.3% of experiments with 20 to 500 items (docs/calibration.md), where the normal tail reaches 6.5% and
 * an inverted Newcombe interval 17%.
 */
export interface PairedScore {
  readonly estimate: number
  readonly z: number
  readonly p: number
}

export function pairedScoreTest(
  counts: PairedCounts,
  {
    difference = 0,
    alternative = 'two-sided',
  }: { readonly difference?: number; readonly alternative?: Alternative } = {},
): Estimate<PairedScore> {
  requireThat(Math.abs(difference) < 1, 'a difference of shares between −1 and 1')
  const n = itemsOf(counts)
  const { onlyA, onlyB } = counts
  if (n === 0) return unavailable('no_data')
  if (onlyA + onlyB === 0 && difference === 0) return unavailable('no_discordant_pairs')
  const above = () => chanceAbove(onlyA, onlyB, n, difference)
  const below = () => chanceAbove(onlyB, onlyA, n, -difference)
  const z = scoreOf(onlyA, onlyB, n, difference)
  const p = sidedP(alternative, z > 0, above, below)
  return { estimate: (onlyA - onlyB) / n, z, p }
}

/** All differences that the test would not reject on either side. */
export function pairedScoreInterval(counts: PairedCounts, level = 0.95): Estimate<Interval> {
  requireLevel(level)
  const n = itemsOf(counts)
  const { onlyA, onlyB } = counts
  if (n === 0) return unavailable('no_data')
  const tail = (1 - level) / 2
  return { level, low: lowEnd(onlyA, onlyB, n, tail), high: -lowEnd(onlyB, onlyA, n, tail) }
}

/** Below it, a difference would be rejected. */
const lowEnd = (a: number, b: number, n: number, tail: number): number =>
  scoreEnd(
    {
      estimate: (a - b) / n,
      chanceAbove: difference => chanceAbove(a, b, n, difference),
      normalTail: difference => normalSurvival(scoreOf(a, b, n, difference)),
    },
    tail,
  )

function itemsOf({ both, onlyA, onlyB, neither }: PairedCounts): number {
  requireThat(Math.min(both, onlyA, onlyB, neither) >= 0, 'counts of items, 0 or more')
  return both + onlyA + onlyB + neither
}

/** With more discordant items than this the normal tail is as good, and fast. */
const mostListed = 2000

/** The probability of an outcome at least as far above `difference`, if that is the true one. */
export function chanceAbove(a: number, b: number, n: number, difference: number): number {
  const score = scoreOf(a, b, n, difference)
  const { onlyA, onlyB } = restricted(a, b, n, difference)
  const discordant = onlyA + onlyB
  if (n * discordant > mostListed) return Math.max(Number.MIN_VALUE, normalSurvival(score))
  const inside = Math.min(1 - 1 / n, Math.max(1 / n, discordant))
  const error = Math.sqrt((inside * (1 - inside)) / n)
  const tail = tailFrom(score, n, difference, reachOf(n, discordant + error))
  const chances = [discordant, discordant - error, discordant + error].map(share => {
    const possible = Math.min(1, Math.max(Math.abs(difference), share))
    return tail((possible + difference) / 2, (possible - difference) / 2)
  })
  return Math.min(1, Math.max(Number.MIN_VALUE, ...chances))
}

/** The most likely shares of discordant items if the difference is the given one (Tango 1998, eq. 5). */
function restricted(
  a: number,
  b: number,
  n: number,
  difference: number,
): { readonly onlyA: number; readonly onlyB: number } {
  const linear = (2 * n - a + b) * difference - a - b
  const constant = b * difference * (1 - difference)
  const root = Math.sqrt(linear * linear + 8 * n * constant)
  // Of two forms of the root, the one that does not subtract nearly equal numbers.
  const onlyB = linear <= 0 ? (root - linear) / (4 * n) : (2 * constant) / (root + linear)
  const possible = Math.min(1, Math.max(onlyB, 0, -difference))
  return { onlyA: Math.max(0, possible + difference), onlyB: possible }
}

function scoreOf(a: number, b: number, n: number, difference: number): number {
  const distance = a - b - n * difference
  const { onlyB } = restricted(a, b, n, difference)
  const variance = n * (2 * onlyB + difference * (1 - difference))
  // Without a discordant item, observed or expected, there is no direction.
  return variance > 1e-12 ? distance / Math.sqrt(variance) : 0
}

/**
 * The probability of a score of at least this, for any shares: for each number of items that only b gets right, the
 * fewest that a needs. It grows with b's number.
 */
function tailFrom(
  score: number,
  n: number,
  difference: number,
  most: number,
): (onlyA: number, onlyB: number) => number {
  const least = score - 1e-9 * Math.max(1, Math.abs(score))
  const isIn = (a: number, b: number): boolean => scoreOf(a, b, n, difference) >= least
  const fewest: number[] = []
  for (let b = 0, a = 0; b <= Math.min(n, most); b++) {
    while (a <= n - b && !isIn(a, b)) a++
    if (a > n - b) break
    fewest.push(a)
  }
  return (onlyA, onlyB) => {
    const share = onlyB >= 1 ? 0 : Math.min(1, Math.max(0, onlyA) / (1 - onlyB))
    const last = Math.min(fewest.length - 1, reachOf(n, onlyB))
    // If all outcomes are far from the expected ones, the nearest of them determine the probability.
    const first = Math.max(0, Math.min(Math.floor(2 * n * onlyB) - reachOf(n, onlyB), last - 40))
    return summed(fewest, { n, share, onlyB, first, last })
  }
}

interface Terms {
  readonly n: number
  /** Of items that only a gets right, among those that not only b gets right. */
  readonly share: number
  readonly onlyB: number
  readonly first: number
  readonly last: number
}

/**
 * The probability of each number of b's items times the probability that a has enough. From the last to the first all
 * changes are added, never subtracted: the probabilities follow from one another without losing digits, in a fraction
 * of the time.
 */
function summed(fewest: readonly number[], { n, share, onlyB, first, last }: Terms): number {
  let chance = 0
  let [least, survival, likely, weight] = [0, 0, 0, 0]
  for (let b = last; b >= first; b--) {
    const others = n - b
    const next = fewest[b] ?? 0
    // Too small to multiply further: recomputed.
    const isLost = b === last || !(likely > 1e-280 && weight > 1e-280) || !(share > 0 && share < 1)
    if (isLost) {
      least = next
      survival = least === 0 ? 1 : binomialSurvival(least - 1, others, share)
      likely = binomialProbability(least, others, share)
      weight = binomialProbability(b, n, onlyB)
    } else {
      const odds = (1 - share) / share
      survival += least === 0 ? 0 : ((likely * least) / (others - least)) * (1 - share)
      likely *= (others / (others - least)) * (1 - share)
      for (; least > next; least--) {
        likely *= (least / (others - least + 1)) * odds
        survival += likely
      }
      weight *= ((b + 1) / (n - b)) * ((1 - onlyB) / onlyB)
    }
    chance += weight * Math.min(1, survival)
  }
  return chance
}

/** More items than this never occur. */
const reachOf = (n: number, share: number): number => Math.ceil(n * share + 8 * Math.sqrt(n * share) + 30)
