import { isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import { type Goal, groupScoreTest, meanOf, pairedScoreTest } from '../../../stats/index.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Method } from '../../choices.ts'
import type { Samples } from '../../samples.ts'
import { boundsOf, type EquivalenceFinding } from '../comparison.ts'
import { isBinary } from '../method.ts'
import { countOf, pairedCountsOf } from './counts.ts'
import { type InferenceOptions, infer } from './infer.ts'

/** `0.02`, `2pts` (percentage points of a share) or `5%` (of the control's mean), as a number of the metric. */
export function marginOf(text: string, control: readonly number[]): number {
  const [, number = '', unit = ''] = /^\s*([\d.]+(?:e-?\d+)?)\s*(pts|%)?\s*$/.exec(text) ?? []
  const value = Number(number)
  if (number === '' || !(value > 0))
    throw new AssayError('usage', `expected a margin above 0 such as 0.02, 2pts or 5%, got "${text}"`)
  if (unit === 'pts') return value / 100
  if (unit !== '%') return value
  if (control.length > 0 && meanOf(control) === 0)
    throw new AssayError('usage', `${text} of a control whose mean is 0 is no margin: give a number`)
  return (value / 100) * Math.abs(meanOf(control))
}

interface EquivalenceOptions extends Pick<InferenceOptions, 'drawing'> {
  readonly margin: number
  readonly goal: Goal
  readonly alpha: number
  /** How many candidates p is corrected for. */
  readonly family: number
}

/**
 * Two one-sided tests at alpha, told as the interval of level 1 − 2 alpha (Schuirmann 1987, J. Pharmacokin. Biopharm. 15:657):
 * equivalent where it lies within ± margin, not worse where its bad end does.
 */
export function equivalenceOf(
  samples: Samples,
  method: Exclude<Method, 'auto'>,
  { margin, goal, alpha, drawing, family }: EquivalenceOptions,
): EquivalenceFinding | null {
  const at = (share: number) =>
    infer(samples, method, { level: 1 - 2 * share, alternative: 'two-sided', drawing }).interval
  const interval = at(alpha)
  const together = family < 2 ? null : at(alpha / family)
  const above = pBeyond(samples, method, -margin, drawing)
  const below = pBeyond(samples, method, margin, drawing)
  if (above === null || below === null) return null
  const isAbove = above <= alpha && (!isAvailable(interval) || interval.low > -margin)
  const isBelow = below <= alpha && (!isAvailable(interval) || interval.high < margin)
  return {
    margin,
    ci: isAvailable(interval) ? boundsOf(interval) : null,
    ci_simultaneous: together !== null && isAvailable(together) ? boundsOf(together) : null,
    p: Math.max(above, below),
    p_adjusted: null,
    equivalent: isAbove && isBelow,
    not_worse_p: goal === 'maximize' ? above : below,
    not_worse_p_adjusted: null,
    not_worse: goal === 'maximize' ? isAbove : isBelow,
  }
}

/** Of several candidates that are each called equivalent, or not worse, one is so by luck: what is claimed follows from the corrected p. */
export function corrected(
  found: EquivalenceFinding,
  adjusted: Pick<EquivalenceFinding, 'p_adjusted' | 'not_worse_p_adjusted'>,
  alpha: number,
): EquivalenceFinding {
  const { p_adjusted, not_worse_p_adjusted } = adjusted
  return {
    ...found,
    ...adjusted,
    equivalent: found.equivalent && (p_adjusted === null || p_adjusted <= alpha),
    not_worse: found.not_worse && (not_worse_p_adjusted === null || not_worse_p_adjusted <= alpha),
  }
}

/** How likely a difference this far on the right side of `limit` is, if the true one is just there: the other side of −margin is below it. */
function pBeyond(
  samples: Samples,
  method: Exclude<Method, 'auto'>,
  limit: number,
  drawing: InferenceOptions['drawing'],
): number | null {
  if (method === 'newcombe') return pByInterval(samples, limit)
  if (method === 'score') {
    // Shares never differ by more than 1: such a limit is kept to whatever was measured.
    if (Math.abs(limit) >= 1) return Number.MIN_VALUE
    const { candidate, control, pairedBy } = samples
    const asked = { difference: limit, alternative: limit < 0 ? 'greater' : 'less' } as const
    const test =
      pairedBy === null
        ? groupScoreTest(countOf(candidate), countOf(control), asked)
        : pairedScoreTest(pairedCountsOf(candidate, control), asked)
    return isAvailable(test) ? test.p : null
  }
  const known = pOfShares(samples, limit)
  if (known !== null) return known
  const alternative = limit < 0 ? 'greater' : 'less'
  return valueOrNull(infer(candidateMoved(samples, -limit), method, { level: 0.95, alternative, drawing }).p)
}

/**
 * Tasks of several runs that all differ by the same, all solved by both arms say, have no spread to go by. Of shares the worst is
 * known: all that is lost is lost on a few tasks that break entirely. This is how likely it is that none of them is among these.
 */
function pOfShares(samples: Samples, limit: number): number | null {
  const { control, candidate, pairedBy, isYesNo = false, isRanked, weighting } = samples
  if (!isYesNo || isRanked || weighting !== undefined || control.length < 2 || candidate.length < 2) return null
  const sign = limit < 0 ? 1 : -1
  const lost = Math.min(1, Math.abs(limit))
  if (pairedBy !== null) {
    const differences = candidate.map((value, at) => sign * (value - (control[at] ?? 0)))
    const [difference = 0] = differences
    if (differences.some(value => Math.abs(value - difference) > 1e-12)) return null
    return difference <= -lost ? 1 : Math.max(Number.MIN_VALUE, ((1 - lost) / (1 + difference)) ** differences.length)
  }
  if (!isBinary(control) || !isBinary(candidate) || new Set(control).size > 1 || new Set(candidate).size > 1)
    return null
  const asked = { difference: Math.max(-1, Math.min(1, limit)), alternative: limit < 0 ? 'greater' : 'less' } as const
  return valueOrNull(whenAvailable(groupScoreTest(countOf(candidate), countOf(control), asked), ({ p }) => p))
}

/** Samples whose candidate has this much more everywhere. */
export const candidateMoved = <T extends Samples>(samples: T, by: number): T => ({
  ...samples,
  candidate: samples.candidate.map(value => value + by),
  crossed: (samples.crossed ?? []).map(crossing => ({
    ...crossing,
    cells: crossing.cells.map(cell => ({ ...cell, candidate: cell.candidate + by })),
  })),
  crossedGroups: (samples.crossedGroups ?? []).map(({ candidate, ...crossing }) => ({
    ...crossing,
    candidate: { ...candidate, cells: candidate.cells.map(cell => ({ ...cell, value: cell.value + by })) },
  })),
})

/** Shares can't be moved: p is the level at which the end of the interval touches the limit. */
function pByInterval(samples: Samples, limit: number): number | null {
  const drawing = { seed: 1, resamples: 1, rng: 'assay' } as const
  /** The bound that the truth is beyond with this chance: from far out to far in as it grows. */
  const boundAt = (chance: number): number | null => {
    const level = Math.abs(1 - 2 * chance)
    const { interval } = infer(samples, 'newcombe', { level, alternative: 'two-sided', drawing })
    if (!isAvailable(interval)) return null
    return chance < 0.5 === limit < 0 ? interval.low : interval.high
  }
  let [low, high] = [1e-12, 1 - 1e-12]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    const bound = boundAt(middle === 0.5 ? 0.5 - 1e-12 : middle)
    if (bound === null) return null
    if (limit < 0 ? bound > limit : bound < limit) high = middle
    else low = middle
  }
  return high
}
