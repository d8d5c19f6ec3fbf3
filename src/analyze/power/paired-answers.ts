import { normalQuantile } from '../../stats/distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../../stats/outcome.ts'
import { fewestRuns } from '../../stats/power/fewest.ts'
import { mcnemarMidPPower } from '../../stats/power/mcnemar-mid-p.ts'
import { reach, wholeRuns } from '../../stats/power/solve.ts'
import type { Aim, PowerModel } from './model.ts'

/** More tasks than this are counted as out of reach: the test is summed over all of them. */
const most = 20_000

/** Tasks solved or not by both arms; only those that one of them solves say anything (McNemar). Effects are differences of shares. */
export function pairedAnswersModel({ discordant }: { readonly discordant: number }, aim: Aim): PowerModel {
  const { alpha, power } = aim
  requireThat(discordant > 0 && discordant <= 1, 'a share of discordant tasks above 0 and at most 1')
  const at = (n: number, effect: number): number =>
    mcnemarMidPPower({ onlyA: (discordant + effect) / 2, onlyB: (discordant - effect) / 2 }, n, alpha)
  const fits = (effect: number): boolean => Math.abs(effect) <= discordant + 1e-12
  return {
    design: 'paired',
    data: 'paired yes or no',
    units: 'pairs',
    isStandardised: false,
    fewest: 1,
    powerAt: (n, effect) => (fits(effect) ? at(n, effect) : unavailable('unreachable')),
    runsFor: effect => {
      if (effect === 0) return unavailable('zero_effect')
      if (!fits(effect)) return unavailable('unreachable')
      return fewestRuns(n => at(n, effect), power, { from: 2, most }) ?? unavailable('unreachable')
    },
    effectFor: n => {
      if (at(n, discordant) < power) return unavailable('unreachable')
      return (
        reach(effect => at(n, Math.min(discordant, effect)), power, { from: 0, most: 1 }) ?? unavailable('unreachable')
      )
    },
    halfWidthAt: (n): Estimate<number> => -normalQuantile(alpha / 2) * Math.sqrt(discordant / n),
    runsForHalfWidth: wanted => wholeRuns((normalQuantile(alpha / 2) / wanted) ** 2 * discordant, 2),
    rangeFor: () => null,
    assumptions: [
      `${discordant * 100} % of tasks are solved by only one of the arms; the others say nothing (McNemar's test, mid-p, exact)`,
    ],
  }
}
