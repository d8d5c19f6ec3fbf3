import type { Evidence } from '../../define/observation.ts'
import { isAvailable } from '../../stats/estimate.ts'
import { AssayError } from '../../util/errors.ts'
import { amountText, dollars, percentText } from '../../util/words.ts'
import { drawingOf, type Told } from '../choices.ts'
import { wordsFor } from '../reading.ts'
import type { Samples } from '../samples.ts'
import { answerPower, type PowerAnswer } from './answer.ts'
import { aimOf, modelOf, type PowerAsked, wishOf } from './asked.ts'
import { meansModel } from './means.ts'
import type { Aim, PowerModel } from './model.ts'
import { pilotModel, spreadOf } from './pilot.ts'
import { type Pilot, pilotOf, refuseBesidePilot } from './pilot-runs.ts'
import { powerProvenance } from './power-provenance.ts'
import { asksForRollouts, plansFor, type RolloutPlans, spreadFrom } from './rollout-plans.ts'
import { mostRollouts, type RolloutPlan, sdWith } from './rollouts.ts'

export type { PowerAsked } from './asked.ts'
export type { Aim } from './model.ts'

/** What `--json` prints. */
export type PowerDocument = Told<ReturnType<typeof documentOf>>

/** `pilot`: existing runs, if any; read only after the options are known to be consistent. */
export function answerAsked(
  pilot: (() => Evidence) | null,
  asked: PowerAsked,
): { readonly page: PowerPage; readonly aim: Aim; readonly document: PowerDocument; readonly hasPilot: boolean } {
  const aim = aimOf(asked)
  if (pilot !== null) refuseBesidePilot(asked)
  const runs = pilot === null ? null : pilotOf(pilot(), asked)
  const page = asksForRollouts(asked, runs) ? pageOfRollouts(asked, runs, aim) : pageOfRuns(asked, runs, aim)
  const provenance = powerProvenance(page.answer, runs, asked)
  return { page, aim, document: { ...documentOf(page, runs), provenance }, hasPilot: runs !== null }
}

/** An answer with the text of its page. */
export interface PowerPage {
  readonly answer: PowerAnswer
  readonly metric: string | null
  readonly plans: RolloutPlans['others']
  readonly sentence: string
  readonly warnings: readonly string[]
  readonly plan: RolloutPlans['best'] | null
  readonly model: PowerModel
}

function pageOfRuns(options: PowerAsked, pilot: Pilot | null, aim: Aim): PowerPage {
  const model = pilot === null ? modelOf(options, aim) : modelOfPilot(pilot, options, aim)
  const pilotRuns = pilot === null ? null : Math.min(pilot.samples.control.length, pilot.samples.candidate.length)
  const answer = answerPower(model, wishOf(options, pilotRuns), aim)
  const metric = pilot?.reading.metric ?? null
  return {
    answer,
    metric,
    model,
    plan: null,
    plans: [],
    sentence: powerSentence(answer, metric, pilotRuns),
    warnings: warningsFor(pilotRuns),
  }
}

function modelOfPilot(pilot: Pilot, options: PowerAsked, aim: Aim): PowerModel {
  const { method = 'auto', trials = 2000, resamples = 499 } = options
  const model = pilotModel(pilot.samples, aim, { method, trials, resamples, seed: drawingOf(options).seed })
  if ('unavailable' in model)
    throw new AssayError('usage', `the pilot says nothing about chance: ${wordsFor(model.unavailable)}`, {
      hint: 'give --sd, --base-rate or --discordant instead of it, or runs that differ',
    })
  return model
}

function pageOfRollouts(options: PowerAsked, pilot: Pilot | null, aim: Aim): PowerPage {
  const spread = spreadFrom(options, pilot)
  const plans = plansFor(spread, options, aim)
  const rollouts = plans?.best.rollouts ?? options.rollouts
  if (rollouts === undefined)
    throw new AssayError('usage', 'how many rollouts of each task? give --rollouts, or costs to choose them by', {
      hint: '--task-cost 1 --rollout-cost 0.2',
    })
  const sd = sdWith(spread, rollouts)
  const model: PowerModel = {
    ...meansModel({ isPaired: true, sd, ratio: 1, units: `tasks × ${rolloutsText(rollouts)}` }, aim),
    assumptions: [
      `both arms try the same tasks; true differences vary over tasks by ${round(spread.taskSd)}, rollouts of a task by ${round(spread.rolloutSd)} (Miller 2024, with the t distribution)`,
      ...(plans === null ? [] : ['a rollout costs the same in both arms; costs are of both arms together']),
    ],
  }
  const tasks = pilot === null ? null : pilot.samples.control.length
  const wish =
    plans === null ? wishOf(options, tasks) : { effect: options.effect, runs: plans.best.tasks, sizes: options.sizes }
  const found = answerPower(model, wish, aim)
  const metric = pilot?.reading.metric ?? null
  const answer: PowerAnswer = plans === null ? found : { ...found, question: 'plan' }
  const about = {
    effect: options.effect ?? null,
    budget: options.budget ?? null,
    power: aim.power,
    isChosen: options.rollouts === undefined,
  }
  return {
    answer,
    metric,
    model,
    plan: plans?.best ?? null,
    plans: plans?.others ?? [],
    sentence:
      plans === null
        ? powerSentence(answer, metric, tasks)
        : planSentence(plans.best, about, effectText(answer, metric)),
    warnings: warningsFor(tasks),
  }
}

/** Compared runs, used as a pilot: what more runs would find, or why that is unknown. */
export function powerOfPilot(
  samples: Samples,
  asked: PowerAsked,
  wish: { readonly effect: number; readonly sizes: readonly number[]; readonly trials: number },
): { readonly answer: PowerAnswer; sentence(metric: string): string } | { readonly reason: string } {
  if (samples.across !== undefined) return { reason: `it is planned for means, not for the ${samples.across}` }
  const aim = aimOf(asked)
  const { method = 'auto' } = asked
  const { seed } = drawingOf(asked)
  const model = pilotModel(samples, aim, { method, trials: wish.trials, resamples: 499, seed })
  if ('unavailable' in model) return { reason: wordsFor(model.unavailable) }
  const answer = answerPower(model, { effect: wish.effect, sizes: wish.sizes }, aim)
  const units = Math.min(samples.control.length, samples.candidate.length)
  return { answer, sentence: metric => powerSentence(answer, metric, units) }
}

const round = (value: number): number => Number(value.toPrecision(3))

function warningsFor(pilotRuns: number | null): readonly string[] {
  if (pilotRuns === null || pilotRuns >= 10) return []
  return [`a pilot of ${pilotRuns} says little about the spread: take the upper end`]
}

function documentOf({ answer, sentence, metric, plan, plans, warnings }: PowerPage, pilot: Pilot | null) {
  const { kind, ...rest } = answer
  return { kind, sentence, metric, ...rest, plan, plans, pilot: pilot === null ? null : pilotFacts(pilot), warnings }
}

function pilotFacts({ arms, samples }: Pilot) {
  const spread = spreadOf(samples)
  return {
    control: arms.control.label,
    candidate: arms.candidate.label,
    n: { control: samples.control.length, candidate: samples.candidate.length },
    paired_by: samples.pairedBy,
    sd: isAvailable(spread) ? spread.sd : null,
  }
}

/** How differences are written: in the metric's unit, in percentage points of a share, or in sd. */
export function effectText(
  { is_standardised, data }: Pick<PowerAnswer, 'is_standardised' | 'data'>,
  metric: string | null,
): (effect: number) => string {
  const amount = (value: number): string => trimmed(amountText(metric ?? '')(value))
  if (data === 'proportions' || data === 'paired yes or no') return effect => `${amount(effect * 100)} points`
  return is_standardised ? effect => `${amount(effect)} sd` : amount
}

/** `0.500` becomes `0.5`: the answer repeats the question's own number. */
const trimmed = (text: string): string => text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '')

/** The power of a test is never 0 or 100%. */
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
    /** Selected by cost, not by the caller. */
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
