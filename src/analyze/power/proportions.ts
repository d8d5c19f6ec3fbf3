import { normalQuantile } from '../../stats/distributions/normal.ts'
import { type Estimate, isAvailable, requireThat, unavailable, whenAvailable } from '../../stats/outcome.ts'
import { fisherExactPower } from '../../stats/power/fisher-exact.ts'
import { reach, wholeRuns } from '../../stats/power/solve.ts'
import { twoProportionsPower, twoProportionsSampleSize } from '../../stats/power/two-proportions.ts'
import { percentText } from '../numbers.ts'
import type { Aim, PowerModel } from './model.ts'

/** Runs of both arms for which the exact test can be summed while somebody waits. */
const mostListed = 1000

/** Shares of successes of two groups, by the arcsine transformation. Effects are differences of shares. */
export function proportionsModel(
  { baseRate, ratio }: { readonly baseRate: number; readonly ratio: number },
  aim: Aim,
): PowerModel {
  const { alpha, power, alternative } = aim
  requireThat(baseRate >= 0 && baseRate <= 1, 'a base rate between 0 and 1')
  const sides = alternative === 'two-sided' ? 2 : 1
  const powerAt = (n: number, effect: number): Estimate<number> => {
    if (!fits(baseRate, effect)) return unavailable('unreachable')
    // A one-sided test looks one way only.
    if (alternative === 'less' ? effect > 0 : alternative === 'greater' && effect < 0) return 0
    return twoProportionsPower(rounded(baseRate + effect), baseRate, n, { alpha, sides, ratio })
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
      return whenAvailable(
        twoProportionsSampleSize(rounded(baseRate + effect), baseRate, { alpha, power, sides, ratio }),
        ({ arcsine }) => wholeRuns(arcsine, 2),
      )
    },
    effectFor: n => {
      // An improvement, unless there is no room for one that could be found.
      for (const sign of directions(alternative)) {
        const room = sign > 0 ? 1 - baseRate : baseRate
        const at = (size: number): number => {
          const found = powerAt(n, sign * Math.min(room, size))
          return isAvailable(found) ? found : 0
        }
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
      `the control succeeds in ${baseRate * 100} % of runs; every run is a task or seed of its own (arcsine transformation)`,
    ],
    caveatAt: (n, effect) => {
      if (alternative !== 'two-sided' || n * (1 + ratio) > mostListed || !fits(baseRate, effect)) return null
      const candidate = { rate: rounded(baseRate + effect), n: Math.round(n * ratio) }
      const exact = fisherExactPower(candidate, { rate: baseRate, n }, alpha)
      return `Fisher's exact test, which compare uses, is more cautious: its power is ${percentText(exact)}`
    },
  }
}

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
