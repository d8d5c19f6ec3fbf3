import { type Estimate, isAvailable, requireThat, unavailable, whenAvailable } from '../../stats/estimate.ts'
import { minimumDetectableEffect, tTestPower, tTestSampleSize } from '../../stats/index.ts'
import { meansModel } from './means.ts'
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
  /** The difference that it finds with the required power. */
  readonly detectable: number | null
}

/** The sd of a task's difference of means, with this many rollouts in each arm. */
export const sdWith = ({ taskSd, rolloutSd }: RolloutSpread, rollouts: number): number =>
  Math.hypot(taskSd, rolloutSd * Math.sqrt(2 / rollouts))

/** The largest number per task that is considered. */
export const mostRollouts = 1000

/** The cheapest number of rollouts that finds a difference, and the tasks it takes. */
export function cheapestRollouts(
  spread: RolloutSpread,
  effect: number,
  costs: RolloutCosts,
  aim: Aim,
  rollouts?: number,
): Estimate<RolloutPlan> {
  return best(
    rollouts,
    k => planFor(spread, effect, costs, aim, k),
    (plan, k) => {
      // The tasks that would still be cheaper: if they don't find it, this number of rollouts is not the cheapest.
      const tasks = Math.floor((plan.cost_usd / perTask(costs, k)) * (1 - 1e-12))
      return isFound(effect / sdWith(spread, k), tasks, aim)
    },
  )
}

/** The number of rollouts that finds the smallest difference for this budget. */
export function mostForBudget(
  spread: RolloutSpread,
  budget: number,
  costs: RolloutCosts,
  aim: Aim,
  rollouts?: number,
): Estimate<RolloutPlan> {
  requireThat(perTask(costs, 1) > 0, 'a cost above 0: without one a budget buys any number of tasks')
  const tasksWith = (k: number): number => Math.floor((budget / perTask(costs, k)) * (1 + 1e-12))
  return best(
    rollouts,
    k => (tasksWith(k) < 2 ? unavailable('unreachable') : planOf(spread, tasksWith(k), k, costs, aim)),
    ({ detectable }, k) =>
      detectable === null || isFound((detectable * (1 - 1e-9)) / sdWith(spread, k), tasksWith(k), aim),
  )
}

/** Whether this many tasks find the difference, in units of the sd. */
function isFound(effect: number, tasks: number, aim: Aim): boolean {
  const power = tasks < 2 ? 0 : tTestPower(effect, { kind: 'paired', n: tasks }, aim)
  return isAvailable(power) && power >= aim.power
}

/** The tasks that find the difference with this many rollouts of each. */
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

/**
 * The plan as `compare` will judge it: its test needs a few tasks more than Student's t, which is used to compare
 * numbers of rollouts quickly.
 */
export function asCompared(
  plan: RolloutPlan,
  spread: RolloutSpread,
  effect: number | undefined,
  costs: RolloutCosts,
  aim: Aim,
): RolloutPlan {
  const { runsFor, effectFor } = meansModel({ isPaired: true, sd: sdWith(spread, plan.rollouts), ratio: 1 }, aim)
  const needed = effect === undefined ? plan.tasks : runsFor(effect)
  const tasks = isAvailable(needed) ? needed : plan.tasks
  const found = effectFor(tasks)
  return {
    ...plan,
    tasks,
    runs: 2 * tasks * plan.rollouts,
    cost_usd: tasks * perTask(costs, plan.rollouts),
    detectable: isAvailable(found) ? found : null,
  }
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

/**
 * The best of all numbers of rollouts. Comparing two takes a single power; the exact effect takes many, and is computed
 * only when it is better. No approximation is used: with few tasks the t distribution is far from the normal one.
 */
function best(
  asked: number | undefined,
  planWith: (rollouts: number) => Estimate<RolloutPlan>,
  isBetter: (than: RolloutPlan, rollouts: number) => boolean,
): Estimate<RolloutPlan> {
  if (asked !== undefined) return planWith(asked)
  let found = planWith(1)
  for (const k of order()) {
    if (isAvailable(found) && !isBetter(found, k)) continue
    const plan = planWith(k)
    if (isAvailable(plan) || !isAvailable(found)) found = plan
  }
  return found
}

/** All numbers of rollouts above 1: a few far apart first, which leave the others little to improve. */
function order(): readonly number[] {
  const all = Array.from({ length: mostRollouts }, (_, at) => at + 1)
  const steps = all.map(at => Math.round(1.25 ** at)).filter(k => k <= mostRollouts)
  return [...new Set([...steps, ...all])].filter(k => k > 1)
}
