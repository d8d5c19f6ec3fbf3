import { betaCdf, betaDensity, betaQuantile, betaSurvival } from '../distributions/beta.ts'
import { requireThat } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'
import { type Beta, meanUnder } from './mean-under-beta.ts'

/** Successes among trials. */
export interface Trials {
  readonly successes: number
  readonly trials: number
}

/** (½, ½) is Jeffreys's. */
export const uniformPrior: Beta = { a: 1, b: 1 }

export function posteriorOf({ successes, trials }: Trials, prior: Beta = uniformPrior): Beta {
  requireThat(prior.a > 0 && prior.b > 0, `a prior with a and b above 0, got ${prior.a} and ${prior.b}`)
  requireThat(
    Number.isInteger(successes) && Number.isInteger(trials) && successes >= 0 && successes <= trials,
    `from 0 to ${trials} successes, got ${successes}`,
  )
  return { a: prior.a + successes, b: prior.b + trials - successes }
}

export function betaMean({ a, b }: Beta): number {
  return a / (a + b)
}

/** With equal probability below and above. */
export function credibleInterval({ a, b }: Beta, level = 0.95): Interval {
  requireLevel(level)
  const miss = (1 - level) / 2
  return { level, low: betaQuantile(miss, a, b), high: betaQuantile(1 - miss, a, b) }
}

/** The shortest interval with this probability. If the density is highest at 0 or 1, it starts or ends there. */
export function highestDensityInterval({ a, b }: Beta, level = 0.95): Interval {
  requireLevel(level)
  if (a <= 1 && b > 1) return { level, low: 0, high: betaQuantile(level, a, b) }
  if (b <= 1 && a > 1) return { level, low: betaQuantile(1 - level, a, b), high: 1 }
  if (a <= 1 && b <= 1) return credibleInterval({ a, b }, level)
  // At both ends the density is equal: if the lower end has too little probability below it, it is less dense than the
  // upper.
  let [least, most] = [0, 1 - level]
  for (let round = 0; round < 100; round++) {
    const share = (least + most) / 2
    const low = betaQuantile(share, a, b)
    const high = betaQuantile(share + level, a, b)
    if (betaDensity(low, a, b) < betaDensity(high, a, b)) least = share
    else most = share
  }
  const share = (least + most) / 2
  return { level, low: betaQuantile(share, a, b), high: betaQuantile(share + level, a, b) }
}

/** P(first rate > second rate + margin). */
export function probabilityGreater(first: Beta, second: Beta, margin = 0): number {
  requireThat(Math.abs(margin) < 1, `a margin between −1 and 1, got ${margin}`)
  return meanUnder(first, x => betaCdf(x - margin, second.a, second.b), [margin, 1 + margin])
}

/** P(|first rate − second rate| < margin): a region of practical equivalence. */
export function probabilityEquivalent(first: Beta, second: Beta, margin: number): number {
  requireThat(margin > 0 && margin < 1, `a margin between 0 and 1, got ${margin}`)
  return meanUnder(first, x => between(second, x - margin, x + margin), [margin, 1 - margin])
}

function between({ a, b }: Beta, low: number, high: number): number {
  return low > a / (a + b)
    ? betaSurvival(low, a, b) - betaSurvival(high, a, b)
    : betaCdf(high, a, b) - betaCdf(low, a, b)
}
