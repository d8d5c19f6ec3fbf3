import type { Parts, SimSettings } from '../../settings.ts'
import type { Estimates } from '../estimates.ts'
import type { Workflow } from '../graph/workflow.ts'
import type { Score } from './ready-queue.ts'

/** How much a workflow's age adds to the score of its nodes, per millisecond. */
export const agePerMs = ({ model }: SimSettings, { dagPriority }: Parts): number =>
  dagPriority ? model.priority.age : 0

/**
 * First come, first served by workflow; or the documented score: the remaining critical path, a bonus for little slack,
 * and the age of the workflow since its first step started. It is computed when a node becomes ready.
 */
export function scorer(
  { model, iters }: SimSettings,
  { dagPriority }: Parts,
  estimates: Estimates,
): (workflow: Workflow, step: number) => Score {
  if (!dagPriority) return workflow => ({ fixed: -workflow.id, isAgeing: true })
  const { critical_path, slack, age } = model.priority
  return (workflow, step) => {
    const path = critical_path * estimates.remainingPath(step, workflow, iters)
    const urgency = slack / (1 + (model.rules.gates_count ? estimates.slack(step, workflow) : 0))
    if (workflow.startedAt === null) return { fixed: path + urgency, isAgeing: false }
    return { fixed: path + urgency - age * workflow.startedAt, isAgeing: true }
  }
}
