import { type Estimate, requireThat, unavailable, whenAvailable } from '../../stats/estimate.ts'
import {
  fewestRuns,
  mcnemarSampleSize,
  normalCdf,
  normalQuantile,
  type PairedScorePower,
  pairedScorePower,
  reach,
  wholeRuns,
} from '../../stats/index.ts'
import type { Aim, PowerModel } from './model.ts'

/** Up to this many tasks the test is summed over all outcomes; beyond, the normal approximation is as good. */
const most = 5_000

/** Tasks solved or not by both arms, by the test that compare uses. Effects are differences of shares. */
export function pairedAnswersModel({ discordant }: { readonly discordant: number }, aim: Aim): PowerModel {
  const { alpha, power, alternative } = aim
  // The normal approximation has one tail of alpha if the test is one-sided.
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  requireThat(discordant > 0 && discordant <= 1, 'a share of discordant tasks above 0 and at most 1')
  const tests = new Map<number, PairedScorePower>()
  const testOf = (n: number): PairedScorePower => {
    const test = tests.get(n) ?? pairedScorePower(n, alpha, alternative)
    tests.set(n, test)
    return test
  }
  const at = (n: number, effect: number): number =>
    n > most
      ? approximatePower(discordant, n, alternative === 'less' ? -effect : effect, { tail, alternative })
      : testOf(n)({ onlyA: (discordant + effect) / 2, onlyB: (discordant - effect) / 2 })
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
      const shares = { onlyA: (discordant + effect) / 2, onlyB: (discordant - effect) / 2 }
      return whenAvailable(mcnemarSampleSize(shares, { alpha: 2 * tail, power }), expected =>
        expected > most
          ? wholeRuns(expected)
          : (fewestRuns(n => at(n, effect), power, { from: 2, most: 2 * most }) ?? unavailable('unreachable')),
      )
    },
    effectFor: (n, direction = 1) => {
      const sign = alternative === 'two-sided' ? direction : alternative === 'less' ? -1 : 1
      if (at(n, sign * discordant) < power) return unavailable('unreachable')
      const size = reach(effect => at(n, sign * Math.min(discordant, effect)), power, { from: 0, most: 1 })
      return size === undefined ? unavailable('unreachable') : sign * size
    },
    halfWidthAt: (n): Estimate<number> => -normalQuantile(alpha / 2) * Math.sqrt(discordant / n),
    runsForHalfWidth: wanted => wholeRuns((normalQuantile(alpha / 2) / wanted) ** 2 * discordant, 2),
    rangeFor: () => null,
    assumptions: [
      `${discordant * 100}% of tasks are solved by only one of the arms; the others say little (the unconditional score test, as compare does, over all outcomes)`,
    ],
  }
}

/** Connor 1987 (Biometrics 43:207), solved for the power. */
function approximatePower(
  discordant: number,
  n: number,
  effect: number,
  { tail, alternative }: { readonly tail: number; readonly alternative: Aim['alternative'] },
): number {
  const spread = Math.sqrt(Math.max(0, discordant - effect ** 2))
  const size = alternative === 'two-sided' ? Math.abs(effect) : effect
  const excess = size * Math.sqrt(n) + normalQuantile(tail) * Math.sqrt(discordant)
  return spread === 0 ? Number(excess > 0) : normalCdf(excess / spread)
}
