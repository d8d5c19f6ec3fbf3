import { isAvailable } from '../../stats/estimate.ts'
import { binomialProbability, binomialSurvival, groupScoreTest, pairedScoreTest } from '../../stats/index.ts'

/**
 * How often a candidate that is worse by exactly the margin passes as not worse. Summed over all outcomes, so free of
 * simulation error.
 */
export interface MarginError {
  readonly data: 'paired' | 'two groups'
  readonly n: number
  readonly margin: number
  /** The true share on which the probability depends: of discordant pairs, or of the control's successes. */
  readonly share: number
  readonly error: number
}

/** Both designs, over common margins and numbers of units. */
export function marginErrors(
  sizes: readonly number[] = [20, 30, 50, 100, 200, 500],
  margins: readonly number[] = [0.01, 0.02, 0.05, 0.1],
): readonly MarginError[] {
  const shares = Array.from({ length: 100 }, (_, at) => (at + 1) / 100)
  const all = (of: typeof pairedMarginErrors, upTo: number): readonly MarginError[] =>
    margins.flatMap(margin =>
      sizes.flatMap(n =>
        of(
          n,
          margin,
          shares.filter(share => share <= upTo),
        ),
      ),
    )
  return [...all(pairedMarginErrors, 0.3), ...all(groupMarginErrors, 1)]
}

/** Pairs of yes and no, at the margin, with these shares of discordant pairs: at least as many as the margin. */
export function pairedMarginErrors(
  n: number,
  margin: number,
  shares: readonly number[],
  alpha = 0.05,
): readonly MarginError[] {
  const isPassed = (won: number, lost: number): boolean => {
    const counts = { both: n - won - lost, onlyA: won, onlyB: lost, neither: 0 }
    const test = pairedScoreTest(counts, { difference: -margin, alternative: 'greater' })
    return isAvailable(test) && test.p <= alpha
  }
  const possible = shares.filter(share => share >= margin - 1e-12)
  const most = Math.max(0, ...possible.map(share => reachOf(n, (share + margin) / 2)))
  const fewest = fewestToPass(Math.min(n, most), lost => n - lost, isPassed)
  return possible.map(share => {
    const lost = (share + margin) / 2
    const won = Math.max(0, share - margin) / 2
    return {
      data: 'paired',
      n,
      margin,
      share,
      error: chanceOf(
        fewest,
        b => binomialProbability(b, n, lost),
        (least, b) => binomialSurvival(least - 1, n - b, won / (1 - lost)),
      ),
    }
  })
}

/** Two groups of n runs; the control succeeds with these probabilities. */
export function groupMarginErrors(
  n: number,
  margin: number,
  rates: readonly number[],
  alpha = 0.05,
): readonly MarginError[] {
  const isPassed = (successes: number, control: number): boolean => {
    const asked = { difference: -margin, alternative: 'greater' } as const
    const test = groupScoreTest({ successes, n }, { successes: control, n }, asked)
    return isAvailable(test) && test.p <= alpha
  }
  const fewest = fewestToPass(n, () => n, isPassed)
  return rates
    .filter(rate => rate >= margin)
    .map(rate => ({
      data: 'two groups',
      n,
      margin,
      share: rate,
      error: chanceOf(
        fewest,
        b => binomialProbability(b, n, rate),
        least => binomialSurvival(least - 1, n, rate - margin),
      ),
    }))
}

/**
 * For each number of control successes, the fewest candidate successes that pass; it grows with the control's number.
 */
function fewestToPass(
  most: number,
  room: (control: number) => number,
  isPassed: (candidate: number, control: number) => boolean,
): readonly number[] {
  const fewest: number[] = []
  for (let control = 0, candidate = 0; control <= most; control++) {
    while (candidate <= room(control) && !isPassed(candidate, control)) candidate++
    if (candidate > room(control)) break
    fewest.push(candidate)
  }
  return fewest
}

const chanceOf = (
  fewest: readonly number[],
  chanceOfControl: (control: number) => number,
  chanceFrom: (least: number, control: number) => number,
): number =>
  fewest.reduce((sum, least, control) => {
    const chance = chanceOfControl(control)
    return chance < 1e-15 ? sum : sum + chance * (least === 0 ? 1 : chanceFrom(least, control))
  }, 0)

/** The largest number that can occur in practice. */
const reachOf = (n: number, share: number): number => Math.ceil(n * share + 9 * Math.sqrt(n * share) + 40)
