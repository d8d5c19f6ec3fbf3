import { amountText, percentText, pText } from '../numbers.ts'
import type { Comparison } from './comparison.ts'
import { isGood } from './verdict.ts'

type Told = Omit<Comparison, 'sentence'>

/** What was found, in one sentence: who, by how much, how sure, on how many. */
export function sentenceOf(comparison: Told, isGoalKnown: boolean): string {
  if (comparison.estimate === null || comparison.ci === null) return withoutValue(comparison)
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

function difference(comparison: Told, isGoalKnown: boolean): string {
  const { candidate, control, estimate, ci, metric, goal } = comparison
  const sign = (estimate ?? 0) < 0 ? -1 : 1
  const amount = amountText(metric)
  const [low, high] = sign < 0 ? [flipped(ci?.high), flipped(ci?.low)] : [ci?.low ?? null, ci?.high ?? null]
  const word = comparative(metric, sign, isGoalKnown, isGood(estimate ?? 0, goal))
  const by = `by ${amount(Math.abs(estimate ?? 0))}${perUnit(comparison)}`
  return `${candidate} is ${word} than ${control} ${by} (${range(comparison, low, high)}), ${onWhat(comparison)}`
}

const flipped = (bound: number | null | undefined): number | null =>
  bound === null || bound === undefined ? null : -bound

/** `cheaper`, `faster`, `better on reward`; where nobody said which way is good, only `higher on …`. */
function comparative(metric: string, sign: number, isGoalKnown: boolean, isBetter: boolean): string {
  if (/(^|_|\/)(cost|usd|price|spend)(_|$)/i.test(metric)) return sign < 0 ? 'cheaper' : 'dearer'
  if (/_ms$|_s$|(^|_)(latency|makespan|duration)(_|$)/.test(metric))
    return `${sign < 0 ? 'faster' : 'slower'} on ${metric}`
  if (!isGoalKnown) return `${sign > 0 ? 'higher' : 'lower'} on ${metric}`
  return `${isBetter ? 'better' : 'worse'} on ${metric}`
}

function equivalence({ candidate, control, metric, equivalence: found, ...rest }: Told): string {
  const amount = amountText(metric)
  const level = percentText(found?.ci.level ?? 0.9)
  const bounds = `${level} CI ${amount(found?.ci.low ?? 0)} to ${amount(found?.ci.high ?? 0)}`
  return `${candidate} and ${control} are equivalent on ${metric} within ± ${amount(found?.margin ?? 0)} (${bounds}), ${onWhat({ candidate, control, metric, equivalence: found, ...rest })}`
}

function inconclusive(comparison: Told): string {
  const { candidate, control, estimate, ci, metric, detectable } = comparison
  const amount = amountText(metric)
  const found = `${amount(estimate ?? 0)}${perUnit(comparison)} (${range(comparison, ci?.low ?? null, ci?.high ?? null)})`
  const could =
    detectable === null
      ? ''
      : `; a difference of ${amount(detectable.difference)} would have been found ${percentText(detectable.power)} of the time`
  return `no difference between ${candidate} and ${control} on ${metric} is shown: ${found}, ${onWhat(comparison)}${could}`
}

function withoutValue({ candidate, control, metric, reason, n }: Told): string {
  return `${candidate} and ${control} can't be compared on ${metric}: ${reason ?? 'no value'} (${n.candidate} and ${n.control} values)`
}

function range({ ci, metric }: Told, low: number | null, high: number | null): string {
  const amount = amountText(metric)
  const level = percentText(ci?.level ?? 0.95)
  if (low === null) return `${level} CI up to ${amount(high ?? 0)}`
  return high === null ? `${level} CI from ${amount(low)}` : `${level} CI ${amount(low)} to ${amount(high)}`
}

/** `per task`: said where the unit is something that people count by. */
const perUnit = ({ unit, pairing }: Told): string =>
  pairing !== null && unit !== 'seed' && unit !== 'pair' ? ` per ${unit}` : ''

function onWhat({ pairing, n, unit, p_adjusted, p }: Told): string {
  const design =
    pairing === null ? `${n.candidate} against ${n.control} ${plural(unit)}` : `paired on ${n.pairs} ${plural(unit)}`
  const chance = p_adjusted ?? p
  return chance === null ? design : `${design}, ${pText(chance)}`
}

const plural = (unit: string): string => (/(s|x|ch|sh)$/.test(unit) ? `${unit}es` : `${unit}s`)
