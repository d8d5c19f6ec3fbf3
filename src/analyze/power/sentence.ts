import { amountText, dollars, percentText } from '../../util/words.ts'
import type { PowerAnswer } from './answer.ts'
import { mostRollouts, type RolloutPlan } from './rollouts.ts'

/** How differences are written: in the metric's unit, in points of a share, or in sd. */
export function effectText(
  { is_standardised, data }: Pick<PowerAnswer, 'is_standardised' | 'data'>,
  metric: string | null,
): (effect: number) => string {
  const amount = (value: number): string => trimmed(amountText(metric ?? '')(value))
  if (data === 'proportions' || data === 'paired yes or no') return effect => `${amount(effect * 100)} points`
  return is_standardised ? effect => `${amount(effect)} sd` : amount
}

/** `0.500` is `0.5`; what was asked should be said as it was asked. */
const trimmed = (text: string): string => text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '')

/** Chances of tests are never 0 or 100%. */
export function powerText(power: number): string {
  if (power < 0.001) return '< 0.1%'
  return power > 0.999 ? '> 99.9%' : percentText(power)
}

/** The answer in one sentence. */
export function powerSentence(answer: PowerAnswer, metric: string | null, pilotRuns: number | null): string {
  const { question, n, effect, power, half_width, alpha, side, range, units, reason } = answer
  if (reason !== null) return noAnswer(answer, metric)
  const text = effectText(answer, metric)
  const test = `at ${percentText(alpha)}, ${side === 'two-sided' ? 'two-sided' : 'one-sided'}`
  const finding = `${counted(n)} ${units} find a difference of ${text(effect ?? 0)}`
  switch (question) {
    case 'runs':
      return `${finding} with ${powerText(power ?? 0)} power (${test})${uncertainty(range, pilotRuns)}.`
    case 'effect':
      return `${finding} or more with ${powerText(power ?? 0)} power (${test}).`
    case 'power':
      return `${finding} with ${powerText(power ?? 0)} power (${test}).`
    default:
      return `${counted(n)} ${units} give a ${percentText(1 - alpha)} interval of ± ${text(half_width ?? 0)}.`
  }
}

const uncertainty = (range: PowerAnswer['range'], pilotRuns: number | null): string =>
  range === null ? '' : `; a pilot of ${pilotRuns} leaves ${counted(range.low)} to ${counted(range.high)} possible`

export function planSentence(
  plan: RolloutPlan,
  {
    effect,
    budget,
    power,
    isChosen,
  }: {
    readonly effect: number | null
    readonly budget: number | null
    readonly power: number
    /** By cost, not by whoever asks. */
    readonly isChosen: boolean
  },
  text: (effect: number) => string,
): string {
  const what = `${counted(plan.tasks)} tasks × ${rolloutsText(plan.rollouts)} in each arm`
  const limit = plan.rollouts === mostRollouts ? ` with at most ${mostRollouts} rollouts` : ''
  if (effect === null)
    return `For ${dollars(budget ?? 0)}, ${what} find ${isChosen ? `the most${limit}: ` : ''}a difference of ${text(plan.detectable ?? 0)} or more with ${powerText(power)} power.`
  const over = budget !== null && plan.cost_usd > budget ? `, which is more than ${dollars(budget)}` : ''
  return `${what} find a difference of ${text(effect)} with ${powerText(power)} power for ${dollars(plan.cost_usd)}${over}${isChosen ? `: the cheapest way${limit}` : ''}.`
}

export const rolloutsText = (rollouts: number): string => `${rollouts} ${rollouts === 1 ? 'rollout' : 'rollouts'}`

/** Digits in groups of three, from ten thousand on. */
export const counted = (n: number | null): string =>
  n === null ? '?' : n < 10_000 ? String(n) : String(n).replaceAll(/\B(?=(\d{3})+$)/g, ',')

function noAnswer(answer: PowerAnswer, metric: string | null): string {
  const { question, reason, effect, n, units } = answer
  const difference = effectText(answer, metric)(effect ?? 0)
  if (reason === 'too_few_values') return `No answer: ${counted(n)} ${units} are too few.`
  if (question === 'effect')
    return `No difference that is possible here is found by ${counted(n)} ${units} with ${powerText(answer.target_power)} power.`
  if (question === 'power') return `A difference of ${difference} is more than there is room for.`
  return `No number of ${units} finds a difference of ${difference} with ${powerText(answer.target_power)} power.`
}
