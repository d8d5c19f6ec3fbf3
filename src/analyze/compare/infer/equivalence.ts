import { isAvailable, valueOrNull } from '../../../stats/estimate.ts'
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
  /** The number of candidates that p is corrected for. */
  readonly family: number
}

/**
 * Two one-sided tests at alpha, shown as the interval of level 1 − 2 alpha (Schuirmann 1987, J. Pharmacokin. Biopharm.
 * 15:657): equivalent if it lies within ± margin, not worse if its unfavourable end does.
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

/**
 * If several candidates are each called equivalent, or not worse, one may be so by luck: the claim follows from the
 * corrected p.
 */
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

/**
 * The probability of a difference this far on the right side of `limit`, if the true one is exactly there: the other
 * side of −margin is below it.
 */
function pBeyond(
  samples: Samples,
  method: Exclude<Method, 'auto'>,
  limit: number,
  drawing: InferenceOptions['drawing'],
): number | null {
  if (method === 'newcombe') return pByInterval(samples, limit)
  if (method === 'score') return pOfCounts(samples, limit)
  const alternative = limit < 0 ? 'greater' : 'less'
  const unseen = pUnseen(samples, limit)
  const test = () =>
    valueOrNull(infer(candidateMoved(samples, -limit), method, { level: 0.95, alternative, drawing }).p)
  if (unseen === null) return test()
  const p = areAllAlike(samples) ? unseen : test()
  return p === null ? null : Math.max(p, unseen)
}

/**
 * For tasks of several runs, solved or not, the worst case is known: the whole loss comes from a few tasks that break
 * entirely. This is the probability that none of these tasks is in the sample, so no test may claim more. It equals the
 * p of one run per task if the arms do not differ, and is the only basis if tasks differ by the same amount, for
 * example if both arms solve all. Null: other numbers.
 */
function pUnseen(samples: Samples, limit: number): number | null {
  const { control, candidate, pairedBy, isYesNo = false, isRanked, weighting } = samples
  if (!isYesNo || isRanked || weighting !== undefined || control.length < 2 || candidate.length < 2) return null
  const lost = Math.min(1, Math.abs(limit))
  const [own, other] = [meanOf(control), meanOf(candidate)]
  // If less is better, values above count as lost.
  const [ours, theirs] = limit < 0 ? [own, other] : [1 - own, 1 - other]
  const [left, seen] = pairedBy === null ? [ours - lost, theirs] : [1 - lost, 1 + theirs - ours]
  if (seen <= left + 1e-12) return 1
  const unseen = Math.max(Number.MIN_VALUE, (Math.max(0, left) / seen) ** candidate.length)
  if (!isBinary(control) || !isBinary(candidate)) return unseen
  // Tasks solved by all or none of their runs carry as much information as one run each.
  const asOne = pOfCounts(samples, limit)
  if (pairedBy === null && areAllAlike(samples)) return asOne
  return asOne === null ? unseen : Math.max(asOne, unseen)
}

/** For yes and no, one per unit, by the exact test. */
function pOfCounts({ control, candidate, pairedBy }: Samples, limit: number): number | null {
  // Shares never differ by more than 1: such a limit holds for any data.
  if (Math.abs(limit) >= 1) return Number.MIN_VALUE
  const asked = { difference: limit, alternative: limit < 0 ? 'greater' : 'less' } as const
  const test =
    pairedBy === null
      ? groupScoreTest(countOf(candidate), countOf(control), asked)
      : pairedScoreTest(pairedCountsOf(candidate, control), asked)
  return isAvailable(test) ? test.p : null
}

/** Only rounding varies: there is no spread to test with. */
function areAllAlike({ control, candidate, pairedBy }: Samples): boolean {
  const isAlike = (values: readonly number[]): boolean =>
    values.every(value => Math.abs(value - (values[0] ?? 0)) <= 1e-12)
  return pairedBy === null
    ? isAlike(control) && isAlike(candidate)
    : isAlike(candidate.map((value, at) => value - (control[at] ?? 0)))
}

/** Samples whose candidate is higher by this much everywhere. */
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

/** Shares can't be shifted: p is the level at which the end of the interval touches the limit. */
function pByInterval(samples: Samples, limit: number): number | null {
  const drawing = { seed: 1, resamples: 1, rng: 'assay' } as const
  /** The bound that the truth exceeds with this probability: it moves inwards as the probability grows. */
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
