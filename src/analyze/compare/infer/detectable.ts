import {
  type Alternative,
  groupScorePower,
  type Interval,
  meanOf,
  normalQuantile,
  pairedScorePower,
} from '../../../stats/index.ts'
import type { Samples } from '../../samples.ts'
import type { Comparison } from '../comparison.ts'
import { pairedCountsOf } from './counts.ts'

/**
 * About the difference that would have been found four times out of five, from the interval that was made: its reach is what the
 * test needs, and a little less than half as much again makes up for bad luck. So it follows the method, unequal spreads, and the
 * correction for several candidates, as a formula for bell-shaped data would not.
 */
export function detectableDifference(
  { level, low, high }: Interval,
  estimate: number,
  { largest, power = 0.8 }: { readonly largest: number; readonly power?: number },
): Comparison['detectable'] {
  const isOneSided = !Number.isFinite(low) || !Number.isFinite(high)
  const reach = isOneSided ? Math.abs(estimate - (Number.isFinite(low) ? low : high)) : (high - low) / 2
  const needed = normalQuantile(isOneSided ? level : 1 - (1 - level) / 2)
  const difference = reach * (1 + normalQuantile(power) / needed)
  // Shares can't differ by more than all: so many units find nothing with that power.
  return difference > 0 && difference < largest ? { difference, power, direction: 'either' } : null
}

/** Up to so many units the power of tests of shares is summed over all outcomes. */
export const mostListed = 2000

/**
 * The same for yes and no, by the power of the very test, summed over all outcomes. Pairs: as many are discordant as here, and at
 * least as many as the difference takes. Groups: the control succeeds as often as here. Null: no possible difference is found so
 * often.
 */
export function detectableShare(
  { control, candidate, pairedBy }: Samples,
  {
    alpha,
    alternative,
    power = 0.8,
  }: { readonly alpha: number; readonly alternative: Alternative; readonly power?: number },
): Comparison['detectable'] {
  const sides =
    alternative === 'two-sided' ? ([1, -1] as const) : alternative === 'greater' ? ([1] as const) : ([-1] as const)
  const chance =
    pairedBy === null
      ? chanceOfGroups(candidate, control, alpha, alternative)
      : chanceOfPairs(candidate, control, alpha, alternative)
  const found = sides.flatMap(side => {
    const room = pairedBy !== null ? 1 : side > 0 ? 1 - meanOf(control) : meanOf(control)
    if (chance(side * room) < power) return []
    let [low, high] = [0, room]
    while (high - low > 1e-6) {
      const middle = (low + high) / 2
      if (chance(side * middle) < power) low = middle
      else high = middle
    }
    return [{ difference: high, side }]
  })
  const [first, second] = found
  if (first === undefined) return null
  const isEither = second !== undefined || pairedBy !== null
  return {
    difference: Math.max(first.difference, second?.difference ?? 0),
    power,
    direction: isEither && alternative === 'two-sided' ? 'either' : first.side > 0 ? 'above' : 'below',
  }
}

type Chance = (difference: number) => number

function chanceOfPairs(
  candidate: readonly number[],
  control: readonly number[],
  alpha: number,
  alternative: Alternative,
): Chance {
  const { onlyA, onlyB } = pairedCountsOf(candidate, control)
  const seen = (onlyA + onlyB) / control.length
  const test = pairedScorePower(control.length, alpha, alternative)
  return difference => {
    const discordant = Math.max(seen, Math.abs(difference))
    return test({ onlyA: (discordant + difference) / 2, onlyB: (discordant - difference) / 2 })
  }
}

function chanceOfGroups(
  candidate: readonly number[],
  control: readonly number[],
  alpha: number,
  alternative: Alternative,
): Chance {
  const test = groupScorePower(candidate.length, control.length, alpha, alternative)
  const base = meanOf(control)
  return difference => test(Math.min(1, Math.max(0, base + difference)), base)
}
