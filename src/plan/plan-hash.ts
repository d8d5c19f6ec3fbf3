import type { Experiment } from '../define/experiment.ts'
import { sha256 } from '../util/hash.ts'
import { canonicalJson, type JsonObject } from '../util/json.ts'
import { planPart } from './plan-part.ts'
import type { PlannerOptions } from './planner.ts'

/** Which plan this is: two definitions with the same hash have the same runs, in the same order. */
export function planHash(experiment: Experiment, options: PlannerOptions): string {
  const { name, seed, ...part } = planPart(experiment)
  // The name is in the plan only where a template makes runs' names of it. A seed that is also the planner's counts once.
  const own = { ...(part.naming.kind === 'template' && { name }), ...(seed !== options.seed && { seed }) }
  const plan = { ...part, ...own, options }
  // Plain data all through, only its interfaces lack an index signature.
  return sha256(canonicalJson(JSON.parse(JSON.stringify(plan)) as JsonObject))
}
