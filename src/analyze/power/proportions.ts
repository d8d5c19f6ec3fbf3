import { type Estimate, isAvailable, requireThat, unavailable, whenAvailable } from '../../stats/estimate.ts'
import {
  fewestRuns,
  type GroupScorePower,
  groupScorePower,
  normalQuantile,
  reach,
  twoProportionsPower,
  twoProportionsSampleSize,
  wholeRuns,
} from '../../stats/index.ts'
import type { Aim, PowerModel } from './model.ts'

/**
 * Runs per arm up to which the test is summed over all outcomes; beyond, the arcsine transformation is close and fast.
 */
const mostListed = 10_000

/** Shares of successes of two groups, by the test that compare uses. Effects are differences of shares. */
export function proportionsModel(
  { baseRate, ratio }: { readonly baseRate: number; readonly ratio: number },
  aim: Aim,
): PowerModel {
  const { alpha, power, alternative } = aim
  requireThat(baseRate >= 0 && baseRate <= 1, 'a base rate between 0 and 1')
  const sides = alternative === 'two-sided' ? 2 : 1
  const isListed = (n: number): boolean => n * Math.max(1, ratio) <= mostListed
  const tests = new Map<number, GroupScorePower>()
  const exactPower = (n: number, rate: number): number => {
    const test = tests.get(n) ?? groupScorePower(Math.max(1, Math.round(n * ratio)), n, alpha, alternative)
    tests.set(n, test)
    return test(rate, baseRate)
  }
  const powerAt = (n: number, effect: number): Estimate<number> => {
    if (!fits(baseRate, effect)) return unavailable('unreachable')
    // A one-sided test has one direction only.
    if (alternative === 'less' ? effect > 0 : alternative === 'greater' && effect < 0) return 0
    const rate = rounded(baseRate + effect)
    return isListed(n) ? exactPower(n, rate) : twoProportionsPower(baseRate, rate, n, { alpha, sides, ratio })
  }
  const powerOr0 = (n: number, effect: number): number => {
    const found = powerAt(n, effect)
    return isAvailable(found) ? found : 0
  }
  return {
    design: 'two groups',
    data: 'proportions',
    units: 'runs in each arm',
    isStandardised: false,
    fewest: 2,
    powerAt,
    runsFor: effect => {
      if (!fits(baseRate, effect)) return unavailable('unreachable')
      const expected = twoProportionsSampleSize(baseRate, rounded(baseRate + effect), { alpha, power, sides, ratio })
      return whenAvailable(expected, ({ arcsine }) => {
        const most = Math.floor(mostListed / Math.max(1, ratio))
        const listed = isListed(arcsine) ? fewestRuns(n => powerOr0(n, effect), power, { from: 2, most }) : undefined
        return listed ?? Math.max(most + 1, wholeRuns(arcsine, 2))
      })
    },
    effectFor: (n, direction) => {
      // An improvement, unless the range leaves no room for a detectable one or a loss is requested.
      for (const sign of direction === undefined ? directions(alternative) : [direction]) {
        const room = sign > 0 ? 1 - baseRate : baseRate
        const at = (size: number): number => powerOr0(n, sign * Math.min(room, size))
        const size = at(room) < power ? undefined : reach(at, power, { from: 0, most: 1 })
        if (size !== undefined) return sign * size
      }
      return unavailable('unreachable')
    },
    halfWidthAt: n => halfWidth(baseRate, n, ratio, alpha),
    runsForHalfWidth: wanted => {
      const z = -normalQuantile(alpha / 2)
      return wholeRuns((z / wanted) ** 2 * baseRate * (1 - baseRate) * (1 + 1 / ratio), 2)
    },
    rangeFor: () => null,
    assumptions: [
      `the control succeeds in ${baseRate * 100}% of runs; every run is a task or seed of its own (${testOfRates})`,
    ],
  }
}

/** How the power of rates is computed. */
export const testOfRates =
  'the unconditional score test, as compare does, over all outcomes; beyond 10,000 runs in an arm the arcsine transformation'

const directions = (alternative: Aim['alternative']): readonly (1 | -1)[] =>
  alternative === 'two-sided' ? [1, -1] : [alternative === 'greater' ? 1 : -1]

const fits = (baseRate: number, effect: number): boolean =>
  baseRate + effect >= -1e-12 && baseRate + effect <= 1 + 1e-12

/** 0.95 + 0.05 is 1. */
const rounded = (share: number): number => Math.min(1, Math.max(0, share))

/** By the normal approximation, both arms near the base rate. */
function halfWidth(baseRate: number, n: number, ratio: number, alpha: number): Estimate<number> {
  if (baseRate === 0 || baseRate === 1) return unavailable('zero_variance')
  return -normalQuantile(alpha / 2) * Math.sqrt(baseRate * (1 - baseRate) * (1 / n + 1 / (n * ratio)))
}
