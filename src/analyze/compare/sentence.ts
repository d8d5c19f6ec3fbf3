import { chanceText, counted, isMoney, listed, percentText, pText, unitWord, writingOf } from '../../util/words.ts'
import { armNames } from '../arms.ts'
import { wordsFor } from '../reading.ts'
import { type Comparison, intervalOfVerdict, isGood, type LevelDifference, type LevelSplit } from './comparison.ts'
import { crossedText } from './describe/design.ts'

type Told = Omit<Comparison, 'sentence' | 'headline'>

/** The result in one sentence: which is better, by how much, how certain, on how many. */
export function sentenceOf(comparison: Told, isGoalKnown: boolean): string {
  const levels = reversals(comparison).map(split => splitText(comparison, split, isGoalKnown))
  return told(comparison, isGoalKnown, levels.join(''))
}

/** The same in large type: the levels follow as separate rows. */
export function headlineOf(comparison: Told, isGoalKnown: boolean): string {
  const factors = reversals(comparison).map(({ factor }) => factor)
  return told(comparison, isGoalKnown, factors.length === 0 ? '' : `; it depends on ${listed(factors)}`)
}

const told = (comparison: Told, isGoalKnown: boolean, levels: string): string =>
  `${found(comparison, isGoalKnown)}${levels}${familyText(comparison)}${lostText(comparison)}`

/** The factors with another verdict at some level: an average does not show these. */
const reversals = ({ verdict, by_level }: Told): readonly LevelSplit[] =>
  by_level.filter(({ levels }) => verdict === 'equivalent' || levels.some(level => level.verdict !== verdict))

/** At which levels the difference holds, and at which it does not. */
function splitText(comparison: Told, { factor, levels }: LevelSplit, isGoalKnown: boolean): string {
  const { difference } = writingOf(comparison)
  const sideOf = ({ verdict: own, estimate }: LevelDifference): string => {
    if (own !== 'better' && own !== 'worse') return 'not shown'
    return isGoalKnown ? own : (estimate ?? 0) > 0 ? 'higher' : 'lower'
  }
  const sides = [...Map.groupBy(levels, sideOf)].map(([side, own]) => {
    const places = own.map(({ label, estimate }) => `${label}${estimate === null ? '' : ` (${difference(estimate)})`}`)
    return `${side} at ${listed(places)}`
  })
  return `; it depends on ${factor}: ${sides.join(', ')}`
}

function found(comparison: Told, isGoalKnown: boolean): string {
  const isInconclusive = comparison.verdict === 'inconclusive'
  if (comparison.ci === null && isInconclusive && isWithoutSpread(comparison)) return withoutSpread(comparison)
  if (comparison.estimate === null || (comparison.ci === null && isInconclusive)) return withoutValue(comparison)
  switch (comparison.verdict) {
    case 'better':
    case 'worse':
      return difference(comparison, isGoalKnown)
    case 'equivalent':
      return equivalence(comparison)
    case 'inconclusive':
      return inconclusive(comparison)
  }
}

/** Several metrics that decide together: p, and so the verdict, is corrected for all of them. */
const familyText = ({ family, correction, p_adjusted }: Told): string =>
  family === null || p_adjusted === null
    ? ''
    : `; ${pText(p_adjusted)} after ${correction} over ${family.tests} tests of ${listed(family.metrics)}`

/** Runs without a value are never left out silently: their number in each arm, and how they count. */
function lostText({ missing: { rule, control: ours, candidate: theirs }, control, candidate }: Told): string {
  if (ours.length + theirs.length === 0) return ''
  const counting = (isWorst: boolean, fate: string): string => {
    const [a = 0, b = 0] = [ours, theirs].map(
      runs => runs.filter(run => (run.counts_as === 'worst') === isWorst).length,
    )
    if (a + b === 0) return ''
    const whose =
      a === 0
        ? `${counted(b, 'run')} of ${candidate}`
        : b === 0
          ? `${counted(a, 'run')} of ${control}`
          : `${counted(a, 'run')} of ${control} and ${b} of ${candidate}`
    return `; ${whose} ${a + b === 1 ? singular(fate) : fate}`
  }
  if (rule === 'bounds') return `, whatever ${runsText(ours.length + theirs.length)} without a value would have given`
  if (rule === 'zero') return counting(false, 'have no value and count as 0')
  return `${counting(true, 'count as worse than every value')}${counting(false, 'have no value and are left out')}`
}

const singular = (fate: string): string =>
  fate
    .replace(/^have /, 'has ')
    .replace(/(^|and )count /, '$1counts ')
    .replace(/and are /, 'and is ')

const runsText = (n: number): string => (n === 1 ? 'the one run' : `the ${n} runs`)

function difference(comparison: Told, isGoalKnown: boolean): string {
  const { candidate, control, estimate, goal } = comparison
  const ci = intervalOfVerdict(comparison)
  const sign = (estimate ?? 0) < 0 ? -1 : 1
  const [low, high] = sign < 0 ? [flipped(ci?.high), flipped(ci?.low)] : [ci?.low ?? null, ci?.high ?? null]
  const word = comparative(comparison, sign, isGoalKnown, isGood(estimate ?? 0, goal))
  const other = besideIt(control, candidate)
  if (isWithoutSpread(comparison)) return `${candidate} is ${word} than ${other} ${everywhere(comparison)}`
  const average = reversals(comparison).length === 0 ? '' : ' on average'
  const by = `by ${sizeText(comparison, sign)}${perUnit(comparison)}${average}`
  if (comparison.statistic === 'wins') {
    const [does, not] = sign > 0 ? ['beats', 'loses'] : ['loses to', 'wins']
    return `${candidate} ${does} ${control} on ${comparison.metric} more often than it ${not}, ${by} (${range(comparison, low, high)}), ${onWhat(comparison)}`
  }
  const onlyP = contradictsInterval(comparison) ? `, ${testText(comparison)}` : ''
  return `${candidate} is ${word} than ${other} ${by} (${range(comparison, low, high)}), ${onWhat(comparison)}${onlyP}`
}

/** `actors.buyer.model=sim/firm is better than sim/soft`: the factor is named once. */
const besideIt = (control: string, candidate: string): string => armNames([control, candidate])(control)

/** If missing values could be anything: the range of the difference. */
function sizeText(comparison: Told, sign: number): string {
  const { estimate, missing } = comparison
  const { spoken, bound } = writingOf(comparison)
  if (missing.rule !== 'bounds' || missing.bounds === null) return spoken(sign * (estimate ?? 0))
  const { low, high } = missing.bounds
  const [from, to] = sign < 0 ? [flipped(high), flipped(low)] : [low, high]
  return from === null
    ? `up to ${spoken(to ?? 0)}`
    : to === null
      ? `at least ${spoken(from)}`
      : `${bound(from)} to ${spoken(to)}`
}

const flipped = (bound: number | null | undefined): number | null =>
  bound === null || bound === undefined ? null : -bound

/** `cheaper`, `faster`, `better on reward`; if the goal is unknown, only `higher on …`. */
function comparative(told: Told, sign: number, isGoalKnown: boolean, isBetter: boolean): string {
  const { metric, summary } = told
  if (told.statistic !== null) return onSubject(told, sign, isGoalKnown, isBetter)
  if (isMoney(metric) && summary === null) return sign < 0 ? 'cheaper' : 'more expensive'
  if (summary === null && /_ms$|_s$|(^|_)(latency|makespan|duration)(_|$)/.test(metric))
    return `${sign < 0 ? 'faster' : 'slower'} on ${metric}`
  return onSubject(told, sign, isGoalKnown, isBetter)
}

function onSubject(told: Told, sign: number, isGoalKnown: boolean, isBetter: boolean): string {
  if (!isGoalKnown) return `${sign > 0 ? 'higher' : 'lower'} on ${subject(told)}`
  return `${isBetter ? 'better' : 'worse'} on ${subject(told)}`
}

/** A slope, or the steps to a value, is a quantity of its own; an area or a mean is a way to read the metric. */
function subject({ metric, summary, statistic }: Told): string {
  if (statistic === 'wins') return `${metric} (wins)`
  if (statistic !== null) return `${statistic.startsWith('pass') ? statistic : `the ${statistic}`} of ${metric}`
  if (summary?.startsWith('steps to')) return `${summary} of ${metric}`
  return summary?.startsWith('slope') ? `the slope of ${metric}` : metric
}

function equivalence(comparison: Told): string {
  const { candidate, control, equivalence: found } = comparison
  const { spoken, bound } = writingOf(comparison)
  const { margin = 0, p = null } = found ?? {}
  const ci = found === null ? null : intervalOfVerdict(found)
  const bounds =
    ci === null
      ? `no interval: ${comparison.reason}${p === null ? '' : `, ${pText(p)}`}`
      : `${ci.name} ${bound(ci.low ?? 0)} to ${bound(ci.high ?? 0)}`
  return `${candidate} and ${besideIt(control, candidate)} are equivalent on ${subject(comparison)} within ±${spoken(margin)} (${bounds}), ${onWhat(comparison)}${correctedText(comparison)}`
}

/** With one candidate the interval is enough. */
function correctedText({ equivalence: found, correction }: Told): string {
  const p = found?.p_adjusted ?? null
  return p === null ? '' : `, ${pText(p)} after ${correction === 'max-t' ? 'holm' : correction}`
}

function inconclusive(comparison: Told): string {
  const { candidate, control, side } = comparison
  const ci = intervalOfVerdict(comparison)
  const found = `${sizeText(comparison, 1)}${perUnit(comparison)} (${range(comparison, ci?.low ?? null, ci?.high ?? null)})`
  const onlyP = contradictsInterval(comparison) ? `, ${testText(comparison)}` : ''
  const could = couldText(comparison)
  const asked =
    side === 'two-sided'
      ? `no difference between ${candidate} and ${besideIt(control, candidate)} on ${subject(comparison)} is shown`
      : `that ${candidate} is ${side === 'greater' ? 'higher' : 'lower'} than ${control} on ${subject(comparison)} is not shown`
  return `${asked}: ${found}, ${onWhat(comparison)}${onlyP}${could}`
}

function couldText(comparison: Told): string {
  const { detectable, undetectable } = comparison
  if (undetectable) return '; no possible difference would have been found 80% of the time'
  if (detectable === null) return ''
  const what = { either: 'a difference', above: 'an increase', below: 'a decrease' }[detectable.direction]
  const going = detectable.by === 'width' ? 'going by the width of the interval alone, ' : ''
  return `; ${going}${what} of about ${writingOf(comparison).spoken(detectable.difference)} would have been found ${percentText(detectable.power)} of the time`
}

/** The resamples of a median may all be equal although the values are not. */
const isWithoutSpread = ({ estimate, reason, statistic }: Told): boolean =>
  estimate !== null && statistic === null && reason === wordsFor('zero_variance')

/** This much is known: the difference, and that it was the same everywhere. Whether it holds elsewhere is unknown. */
function withoutSpread(comparison: Told): string {
  const { candidate, control, estimate, arms } = comparison
  // A rounding difference of equal means is not a difference.
  const scale = Math.abs(arms.control.mean ?? 0) + Math.abs(arms.candidate.mean ?? 0)
  if (Math.abs(estimate ?? 0) <= 1e-12 * scale)
    return `${candidate} and ${control} give the same ${subject(comparison)}${onEach(comparison)}; ${withoutInterval(comparison)}`
  const way = (estimate ?? 0) > 0 ? 'higher' : 'lower'
  return `${candidate} is ${way} on ${subject(comparison)} than ${control} ${everywhere(comparison)}`
}

/** `by the same 0.133 on each of 20 tasks`, and the basis of the verdict if there is no interval. */
function everywhere(comparison: Told): string {
  const size = writingOf(comparison).spoken(Math.abs(comparison.estimate ?? 0))
  return `by ${comparison.n.pairs === null ? '' : 'the same '}${size}${onEach(comparison)}; ${withoutInterval(comparison)}`
}

const onEach = (comparison: Told): string =>
  comparison.n.pairs === null
    ? `, ${onWhat(comparison)}`
    : ` on each of ${counted(comparison.n.pairs, unitWord(comparison.unit))}`

function withoutInterval(comparison: Told): string {
  const what = comparison.n.pairs === null ? 'the values of each arm' : 'the differences'
  return `as ${what} do not vary, there is no interval${comparison.p === null ? ' and no test' : `; ${testText(comparison)}`}`
}

function withoutValue({ candidate, control, metric, reason, n, unit }: Told): string {
  const word = unitWord(unit)
  const counts = n.pairs === null ? `${n.candidate} and ${counted(n.control, word)}` : counted(n.pairs, word)
  return `${candidate} and ${control} can't be compared on ${metric}: ${reason ?? 'no value'} (${counts})`
}

function range(comparison: Told, low: number | null, high: number | null): string {
  const { bound } = writingOf(comparison)
  const told = intervalOfVerdict(comparison)
  if (told === null) return `no interval: ${comparison.reason}`
  if (low === null) return `${told.name} up to ${bound(high ?? 0)}`
  return high === null ? `${told.name} from ${bound(low)}` : `${told.name} ${bound(low)} to ${bound(high)}`
}

/** `per task`: stated if the unit is something that people count by. */
const perUnit = ({ unit, pairing, yes_no, summary, statistic }: Told): string =>
  pairing === null || statistic !== null || yes_no || summary !== null || ['seed', 'pair', 'run'].includes(unit)
    ? ''
    : ` per ${unitWord(unit)}`

function onWhat(told: Told): string {
  const { weights = null, strata = null } = told.weighting ?? {}
  const how = [
    ...(weights === null ? [] : [`weighted by ${weights}`]),
    ...(strata === null
      ? []
      : [`stratified (${strata.map(({ stratum, share }) => `${stratum} ${percentText(share)}`).join(', ')})`]),
  ]
  return [howMany(told), ...how].join(', ')
}

function howMany({ pairing, n, unit, design }: Told): string {
  const word = unitWord(unit)
  if (pairing === null) return `${n.candidate} against ${counted(n.control, word)}`
  return unit === 'pair'
    ? `on ${counted(n.pairs ?? 0, word)}`
    : `paired on ${counted(n.pairs ?? 0, word)}${crossedText(design)}`
}

/** A corrected p, or a test other than the interval's, may disagree with the interval: then both are stated. */
function contradictsInterval(comparison: Told): boolean {
  const { verdict } = comparison
  const ci = intervalOfVerdict(comparison)
  const excludesZero = ci !== null && ((ci.low !== null && ci.low > 0) || (ci.high !== null && ci.high < 0))
  return excludesZero !== (verdict === 'better' || verdict === 'worse')
}

function testText({ p, p_is_bound, p_adjusted, correction, test }: Told): string {
  if (p_adjusted !== null) return `${chanceText(p_adjusted, p_is_bound)} after ${correction}`
  return p === null ? 'no p' : `${chanceText(p, p_is_bound)} by ${test}`
}
