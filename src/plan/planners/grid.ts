import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import type { Planner, PlannerMethod } from '../planner.ts'
import { planOf } from '../runs/plan.ts'

/** Every variant in every block and replicate. The state is how many were proposed. */
export const grid: PlannerMethod = {
  method: 'grid',
  make(experiment, { order, seed }): Planner {
    const plan = planOf(experiment, order, seed)
    return {
      learns: false,
      start: () => 0,
      tell: state => state,
      ask(state, wanted) {
        const from = cursorIn(state)
        if (from >= plan.count) return 'done'
        const to = Math.min(plan.count, from + wanted)
        const runs = Array.from({ length: to - from }, (_, offset) => ({ run: plan.at(from + offset), why: 'grid' }))
        return { state: to, runs }
      },
      count: () => plan.count,
      certain: () => plan.count,
    }
  },
}

function cursorIn(state: Json): number {
  if (typeof state === 'number' && Number.isSafeInteger(state) && state >= 0) return state
  throw new AssayError('internal', `the grid planner was given a state that is not its own: ${JSON.stringify(state)}`)
}
