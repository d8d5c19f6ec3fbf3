import { type Estimate, isAvailable, requireThat, unavailable, whenAvailable } from '../../stats/outcome.ts'
import { type QuestionVariances, questionsDetect, questionsNeeded } from '../../stats/power/eval-questions.ts'
import { minimumDetectableEffect, tTestSampleSize } from '../../stats/power/t-test.ts'
import type { Aim } from './model.ts'

/** How tasks and rollouts vary: in one comparison of two arms on the same tasks (Miller 2024, arXiv 2411.00640). */
export interface RolloutSpread {
  /** Over tasks, of the true difference between the arms. */
  readonly taskSd: number
  /** Of one rollout around its task's mean, in either arm. */
  readonly rolloutSd: number
}

export interface RolloutCosts {
  readonly task: number
  /** Of one rollout of one arm. */
  readonly rollout: number
}

export interface RolloutPlan {
  readonly tasks: number
  /** Of each task in each arm. */
  readonly rollouts: number
  /** Runs of both arms together. */
  readonly runs: number
  readonly cost_usd: number
  /** The difference that it finds with the wanted power. */
  readonly detectable: number | null
}

/** The sd of a task's difference of means, with so many rollouts in each arm. */
export const sdWith = ({ taskSd, rolloutSd }: RolloutSpread, rollouts: number): number =>
  Math.hypot(taskSd, rolloutSd * Math.sqrt(2 / rollouts))

const mostRollouts = 1000
/** Plans that are worth the exact formula after the quick one. */
const shortList = 8

/** Rollouts that are the cheapest way to find a difference, and the tasks they take. */
export function cheapestRollouts(
  spread: RolloutSpread,
  effect: number,
  costs: RolloutCosts,
  aim: Aim,
  rollouts?: number,
): Estimate<RolloutPlan> {
  const sides = aim.alternative === 'two-sided' ? 2 : 1
  const quick = (k: number): number => {
    const needed = questionsNeeded(variancesOf(spread), effect, { ...aim, sides, answersA: k, answersB: k })
    return isAvailable(needed) ? Math.max(2, needed) * perTask(costs, k) : Infinity
  }
  return best(
    choices(rollouts, quick),
    k => planFor(spread, effect, costs, aim, k),
    plan => plan.cost_usd,
  )
}

/** Rollouts that find the smallest difference for so much money. */
export function mostForBudget(
  spread: RolloutSpread,
  budget: number,
  costs: RolloutCosts,
  aim: Aim,
  rollouts?: number,
): Estimate<RolloutPlan> {
  requireThat(perTask(costs, 1) > 0, 'a cost above 0: without one a budget buys any number of tasks')
  const sides = aim.alternative === 'two-sided' ? 2 : 1
  const tasksWith = (k: number): number => Math.floor((budget / perTask(costs, k)) * (1 + 1e-12))
  const quick = (k: number): number =>
    tasksWith(k) < 2
      ? Infinity
      : questionsDetect(variancesOf(spread), tasksWith(k), { ...aim, sides, answersA: k, answersB: k })
  const planWith = (k: number): Estimate<RolloutPlan> =>
    tasksWith(k) < 2 ? unavailable('unreachable') : planOf(spread, tasksWith(k), k, costs, aim)
  return best(choices(rollouts, quick), planWith, plan => Math.abs(plan.detectable ?? Infinity))
}

/** The tasks that find the difference with so many rollouts of each. */
export function planFor(
  spread: RolloutSpread,
  effect: number,
  costs: RolloutCosts,
  aim: Aim,
  rollouts: number,
): Estimate<RolloutPlan> {
  const size = tTestSampleSize(effect / sdWith(spread, rollouts), { kind: 'paired' }, aim.power, aim)
  return whenAvailable(size, ({ n }) => planOf(spread, n, rollouts, costs, aim))
}

function planOf(spread: RolloutSpread, tasks: number, rollouts: number, costs: RolloutCosts, aim: Aim): RolloutPlan {
  const effect = minimumDetectableEffect({ kind: 'paired', n: tasks }, aim.power, aim)
  return {
    tasks,
    rollouts,
    runs: 2 * tasks * rollouts,
    cost_usd: tasks * perTask(costs, rollouts),
    detectable: isAvailable(effect) ? effect * sdWith(spread, rollouts) : null,
  }
}

const perTask = ({ task, rollout }: RolloutCosts, rollouts: number): number => task + 2 * rollouts * rollout

const variancesOf = ({ taskSd, rolloutSd }: RolloutSpread): QuestionVariances => ({
  between: taskSd ** 2,
  withinA: rolloutSd ** 2,
  withinB: rolloutSd ** 2,
})

/** The numbers of rollouts that the normal approximation finds best; of equals the fewest. */
function choices(asked: number | undefined, badness: (k: number) => number): readonly number[] {
  if (asked !== undefined) return [asked]
  return Array.from({ length: mostRollouts }, (_, at) => ({ k: at + 1, badness: badness(at + 1) }))
    .toSorted((a, b) => a.badness - b.badness || a.k - b.k)
    .slice(0, shortList)
    .map(({ k }) => k)
}

function best(
  rollouts: readonly number[],
  planWith: (k: number) => Estimate<RolloutPlan>,
  badness: (plan: RolloutPlan) => number,
): Estimate<RolloutPlan> {
  const plans = rollouts.map(planWith)
  const known = plans.filter(isAvailable).toSorted((a, b) => badness(a) - badness(b) || a.rollouts - b.rollouts)
  const [first = plans[0] ?? unavailable('unreachable')] = known
  return first
}
