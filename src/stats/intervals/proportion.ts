import { betaQuantilePair } from '../distributions/beta.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'
import { type Count, requireCount } from '../tests/proportions/two-proportions.ts'

/** The default: right on average at any n, and not empty at 0 or n of n (Wilson 1927, JASA 22:209). */
export function wilsonInterval(count: Count, level = 0.95): Estimate<Interval> {
  return ofCount(count, level, ({ successes, n }) => {
    const z = normalQuantile((1 - level) / 2)
    const share = successes / n
    const shrink = 1 + (z * z) / n
    const centre = (share + (z * z) / (2 * n)) / shrink
    const reach = (Math.abs(z) * Math.sqrt((share * (1 - share)) / n + (z / (2 * n)) ** 2)) / shrink
    return { low: successes === 0 ? 0 : centre - reach, high: successes === n ? 1 : centre + reach }
  })
}

/** Never below its level, so wider than needed (Clopper & Pearson 1934, Biometrika 26:404). */
export function clopperPearsonInterval(count: Count, level = 0.95): Estimate<Interval> {
  return ofCount(count, level, ({ successes, n }) => {
    const tail = (1 - level) / 2
    return {
      low: successes === 0 ? 0 : betaQuantilePair(tail, 1 - tail, successes, n - successes + 1).x,
      high: successes === n ? 1 : betaQuantilePair(1 - tail, tail, successes + 1, n - successes).x,
    }
  })
}

/**
 * Equal tails of the posterior under Jeffreys' prior, with the end at 0 or n of n put to 0 or 1
 * (Brown, Cai & DasGupta 2001, Stat. Sci. 16:101).
 */
export function jeffreysInterval(count: Count, level = 0.95): Estimate<Interval> {
  return ofCount(count, level, ({ successes, n }) => {
    const tail = (1 - level) / 2
    const a = successes + 0.5
    const b = n - successes + 0.5
    return {
      low: successes === 0 ? 0 : betaQuantilePair(tail, 1 - tail, a, b).x,
      high: successes === n ? 1 : betaQuantilePair(1 - tail, tail, a, b).x,
    }
  })
}

/** Wilson's centre with the simple standard error (Agresti & Coull 1998, Am. Stat. 52:119), within 0 and 1. */
export function agrestiCoullInterval(count: Count, level = 0.95): Estimate<Interval> {
  return ofCount(count, level, ({ successes, n }) => {
    const z = normalQuantile((1 - level) / 2)
    const trials = n + z * z
    const share = (successes + (z * z) / 2) / trials
    const reach = Math.abs(z) * Math.sqrt((share * (1 - share)) / trials)
    return { low: Math.max(0, share - reach), high: Math.min(1, share + reach) }
  })
}

function ofCount(count: Count, level: number, bounds: (count: Count) => Omit<Interval, 'level'>): Estimate<Interval> {
  requireCount(count)
  requireLevel(level)
  return count.n === 0 ? unavailable('no_data') : { level, ...bounds(count) }
}
