import { isAvailable } from '../../stats/estimate.ts'
import { pairedDifferences, skewnessTest } from '../../stats/index.ts'
import { counted, percentText, plainNumber, plural, unitWord } from '../../util/words.ts'
import type { Method } from '../choices.ts'
import type { Samples } from '../samples.ts'
import type { Comparison } from './comparison.ts'
import { arePermuted } from './method.ts'

/**
 * Warns of a claim against a single long tail of the differences: few units seldom include its extreme values, so the
 * claim is wrong more often than stated. docs/calibration.md has how often, and how often such a tail can be detected.
 */
export function tailWarnings(
  samples: Samples,
  method: Method,
  claims: Pick<Comparison, 'estimate' | 'p' | 'equivalence' | 'goal'>,
  alpha: number,
): readonly string[] {
  const { candidate, control, pairedBy, isCounted, isYesNo = false, isRanked, across } = samples
  if (isCounted || across !== undefined) return []
  // A permutation test covers groups of unequal size.
  if (pairedBy === null)
    return isYesNo || (method === 'wider' && arePermuted(samples)) ? [] : tailOfGroups(samples, method, claims, alpha)
  if (isYesNo && !isRanked && isMarginUnseen(claims, alpha)) return brokenTasks(samples, claims.equivalence, alpha)
  const differences = pairedDifferences(candidate, control)
  if (!isAvailable(differences)) return []
  if (differences.values.length < leastSeen) return isClaim(claims, alpha) ? [unseenTail(samples)] : []
  if (!(method === 't' || method === 'wider')) return []
  const found = skewnessTest(differences.values)
  // The side is known: only the claim against the tail is in doubt, so 5% of one side are 10% of both.
  if (!isAvailable(found) || found.p > 0.1 || !isAgainst(found.skewness, claims, alpha)) return []
  const [far, claimed, excluded] = found.skewness > 0 ? ['upward', 'lower', 'higher'] : ['downward', 'higher', 'lower']
  const units = counted(differences.values.length, unitWord(samples.unit))
  return [
    `the differences of the ${units} have one long tail, ${far} (skewness ${plainNumber(found.skewness)}): few units seldom include the far ones, so a claim that the candidate is ${claimed}, or not ${excluded} by the margin, is wrong two to three times as often as its level says. Run more units (docs/calibration.md, "What a gate lets pass")`,
  ]
}

/** Tails of two groups of equal size cancel out; a small group seldom includes extreme values, and a large one does. */
function tailOfGroups(
  { candidate, control, unit }: Samples,
  method: Method,
  claims: Pick<Comparison, 'estimate' | 'p' | 'equivalence' | 'goal'>,
  alpha: number,
): readonly string[] {
  const [fewer, more] = candidate.length < control.length ? [candidate, control] : [control, candidate]
  if (!(method === 't' || method === 'wider') || 2 * fewer.length > more.length || more.length < leastSeen) return []
  const found = skewnessTest(more)
  // Along the tail of the candidate's runs; for the control's, in the opposite direction.
  const sign = fewer === candidate ? 1 : -1
  if (!isAvailable(found) || found.p > 0.1 || !isAgainst(sign * found.skewness, claims, alpha)) return []
  const [far, claimed, excluded] = found.skewness > 0 ? ['upward', 'lower', 'higher'] : ['downward', 'higher', 'lower']
  return [
    `the values have one long tail, ${far} (skewness ${plainNumber(found.skewness)}), and ${fewer.length} against ${counted(more.length, unitWord(unit))} seldom include the far ones: a claim that the smaller arm is ${claimed}, or not ${excluded} by the margin, is wrong two to six times as often as its level says. Run about as many of both (docs/calibration.md, "What a gate lets pass")`,
  ]
}

/** The interval respects the margin, but too few tasks were run to claim it. */
function isMarginUnseen({ equivalence, goal }: Pick<Comparison, 'equivalence' | 'goal'>, alpha: number): boolean {
  if (!equivalence?.ci || (equivalence.not_worse_p ?? 0) <= alpha) return false
  const { margin, ci } = equivalence
  return goal === 'maximize' ? (ci.low ?? -1) > -margin : (ci.high ?? 1) < margin
}

/**
 * The worst case for shares is that few tasks lose everything: a sample of this size may well include none of those.
 */
function brokenTasks(
  { control, unit }: Samples,
  equivalence: Comparison['equivalence'],
  alpha: number,
): readonly string[] {
  const [n, margin] = [control.length, Math.min(1, equivalence?.margin ?? 1)]
  const enough = Math.ceil(Math.log(alpha) / Math.log(1 - margin))
  const [share, units] = [percentText(margin), counted(n, unitWord(unit))]
  return [
    `the interval keeps the margin, but ${units} in pairs can't rule out that the candidate fails every run of ${share} of ${plural(unitWord(unit))} and is as good on the others: in ${percentText((1 - margin) ** n)} of experiments like this one none of those would be among them, so "not worse" is not claimed. ${enough} would do where the arms are alike (docs/calibration.md, "What a gate lets pass")`,
  ]
}

/** The test of skewness needs this many differences. */
const leastSeen = 8

/**
 * A gate on few pairs always gets its error rate: the figures are those of docs/calibration.md for lognormal differences,
 * t below 7 pairs. They are no upper limit: no test can know what no unit of a sample shows.
 */
function unseenTail({ control, unit }: Samples): string {
  const n = control.length
  const pairs = unit === 'pair' ? counted(n, 'pair') : `${counted(n, unitWord(unit))} in pairs`
  const [better, notWorse] = n < 7 ? [18, 24] : [9, 13]
  return `${pairs} can't rule out one long tail: if the candidate is a little better on most and much worse on a few, "better" is said wrongly in ${better}% of experiments (2.5% expected) and "not worse" in ${notWorse}% (5% expected) where differences are lognormal, and in more where the few are rarer: ${percentText(0.95 ** n)} of such experiments have none of the worst 5%. Run at least ${leastSeen}, better 20 (docs/calibration.md, "What a gate lets pass")`
}

const isClaim = ({ p, equivalence }: Pick<Comparison, 'p' | 'equivalence'>, alpha: number): boolean =>
  (p !== null && p <= alpha) || equivalence?.equivalent === true || equivalence?.not_worse === true

function isAgainst(
  skewness: number,
  { estimate, p, equivalence, goal }: Pick<Comparison, 'estimate' | 'p' | 'equivalence' | 'goal'>,
  alpha: number,
): boolean {
  const isDifferent = estimate !== null && estimate * skewness < 0 && p !== null && p <= alpha
  const isTailBad = skewness > 0 === (goal === 'minimize')
  return isDifferent || equivalence?.equivalent === true || (equivalence?.not_worse === true && isTailBad)
}
