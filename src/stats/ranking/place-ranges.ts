import { holm } from '../adjust/p-values.ts'
import { isConstant } from '../describe/moments.ts'
import { type Estimate, isAvailable, requireThat, unavailable } from '../estimate.ts'
import { pairedTTest } from '../tests/means/paired-t.ts'
import { pairedScoreTest } from '../tests/proportions/paired-score.ts'

/** The possible places of a system; 1 is the largest mean. */
export interface PlaceRange {
  readonly low: number
  readonly high: number
}

/**
 * The places of systems that all ran the same tasks (`scores[system][task]`): each pair is tested (yes or no by the
 * score test of pairs, numbers by t), corrected for all pairs together by Holm. A system is placed below those that are
 * better and above those that are worse, so all ranges hold together at the level (Mohamad, Goeman & van Zwet 2019,
 * arXiv:1810.05422). Resampled ranks do not: among equal systems they call one the best.
 */
export function placeRanges(scores: readonly (readonly number[])[], level = 0.95): Estimate<readonly PlaceRange[]> {
  const tasks = scores[0]?.length ?? 0
  requireThat(
    scores.every(row => row.length === tasks),
    'the same tasks for every system',
  )
  if (scores.length < 2 || tasks < 2) return unavailable('too_few_values')
  // The direction in which more is better: if less is, callers change the signs.
  const isCounted = [1, -1].some(one => scores.every(row => row.every(value => value === 0 || value === one)))
  const pairs = scores.flatMap((_, first) =>
    scores.slice(first + 1).map((_, at) => ({ first, second: first + 1 + at })),
  )
  const tests = pairs.map(({ first, second }) => compared(scores[first] ?? [], scores[second] ?? [], isCounted))
  const adjusted = holm(tests.map(({ p }) => p))
  const ranges = scores.map(() => ({ low: 1, high: scores.length }))
  for (const [at, { first, second }] of pairs.entries()) {
    if ((adjusted[at] ?? 1) > 1 - level) continue
    const isFirstBetter = (tests[at]?.difference ?? 0) > 0
    const [better, worse] = isFirstBetter ? [ranges[first], ranges[second]] : [ranges[second], ranges[first]]
    if (better !== undefined) better.high--
    if (worse !== undefined) worse.low++
  }
  return ranges
}

function compared(own: readonly number[], other: readonly number[], isCounted: boolean) {
  const differences = own.map((value, task) => value - (other[task] ?? 0))
  const difference = differences.reduce((sum, value) => sum + value, 0)
  return { difference, p: pOf(own, other, differences, isCounted) }
}

function pOf(own: readonly number[], other: readonly number[], differences: readonly number[], isCounted: boolean) {
  if (isCounted) {
    const onlyA = differences.filter(value => value > 0).length
    const onlyB = differences.filter(value => value < 0).length
    const test = pairedScoreTest({ both: own.length - onlyA - onlyB, onlyA, onlyB, neither: 0 })
    return isAvailable(test) ? test.p : 1
  }
  const test = pairedTTest(own, other)
  if (isAvailable(test)) return test.p
  // The same difference everywhere: only its sign can be due to chance.
  return isConstant(differences) && Math.abs(differences[0] ?? 0) > 1e-12 ? 2 ** (1 - differences.length) : 1
}
