import { type Estimate, isAvailable } from '../../stats/estimate.ts'
import { AssayError } from '../../util/errors.ts'
import type { PowerAsked } from './asked.ts'
import type { Aim } from './model.ts'
import type { Pilot } from './pilot-runs.ts'
import { rolloutSpreadOf } from './rollout-spread.ts'
import {
  asCompared,
  cheapestRollouts,
  mostForBudget,
  planFor,
  type RolloutCosts,
  type RolloutPlan,
  type RolloutSpread,
} from './rollouts.ts'

/** Whether the question trades tasks against rollouts. */
export const asksForRollouts = (options: PowerAsked, pilot: Pilot | null): boolean => {
  const { taskSd, rolloutSd, rollouts, taskCost, rolloutCost } = options
  const isPlanned = [rollouts, taskCost, rolloutCost].some(given => given !== undefined)
  if (isPlanned && pilot === null && taskSd === undefined && rolloutSd === undefined)
    throw new AssayError('usage', 'how much do tasks and rollouts vary? give --task-sd and --rollout-sd, or a pilot')
  return taskSd !== undefined || rolloutSd !== undefined || isPlanned
}

export function spreadFrom(options: PowerAsked, pilot: Pilot | null): RolloutSpread {
  if (pilot !== null) return rolloutSpreadOf(pilot.evidence, pilot.arms, pilot.reading)
  const { taskSd, rolloutSd } = options
  if (taskSd === undefined || rolloutSd === undefined)
    throw new AssayError(
      'usage',
      '--task-sd and --rollout-sd belong together: how tasks vary, and how rollouts of a task do',
    )
  if (taskSd + rolloutSd === 0) throw new AssayError('usage', '--task-sd and --rollout-sd are both 0: nothing varies')
  return { taskSd, rolloutSd }
}

/** The best plan under costs, and others to compare it with; null if no cost was given. */
export function plansFor(spread: RolloutSpread, options: PowerAsked, aim: Aim): RolloutPlans | null {
  const { effect, budget, rollouts, taskCost, rolloutCost, runs, halfWidth } = options
  if (taskCost === undefined && rolloutCost === undefined) return null
  if (runs !== undefined || halfWidth !== undefined)
    throw new AssayError('usage', 'costs choose the number of tasks: leave out --runs and --half-width')
  const costs: RolloutCosts = { task: taskCost ?? 0, rollout: rolloutCost ?? 0 }
  if (costs.task + costs.rollout === 0)
    throw new AssayError('usage', '--task-cost and --rollout-cost are both 0: everything is free')
  if (effect === undefined && budget === undefined)
    throw new AssayError(
      'usage',
      'nothing to compute: give --effect for the cheapest way to detect it, or --budget for what it can detect',
    )
  const found =
    effect === undefined
      ? mostForBudget(spread, budget ?? 0, costs, aim, rollouts)
      : cheapestRollouts(spread, effect, costs, aim, rollouts)
  if (!isAvailable(found))
    throw new AssayError(
      'usage',
      effect === undefined ? `--budget: ${budget} buys no two tasks` : 'no number of tasks finds it',
    )
  const judged = (plan: RolloutPlan): RolloutPlan => asCompared(plan, spread, effect, costs, aim)
  return { best: judged(found), others: others(spread, options, costs, aim, found).map(judged) }
}

export interface RolloutPlans {
  readonly best: RolloutPlan
  /** Other numbers of rollouts, for comparison. */
  readonly others: readonly RolloutPlan[]
}

function others(
  spread: RolloutSpread,
  { effect, budget }: PowerAsked,
  costs: RolloutCosts,
  aim: Aim,
  best: RolloutPlan,
): readonly RolloutPlan[] {
  const counts = [...new Set([1, 2, 4, 8, 16, best.rollouts])].toSorted((a, b) => a - b)
  const planWith = (k: number): Estimate<RolloutPlan> =>
    effect === undefined ? mostForBudget(spread, budget ?? 0, costs, aim, k) : planFor(spread, effect, costs, aim, k)
  return counts.map(planWith).filter(isAvailable)
}
