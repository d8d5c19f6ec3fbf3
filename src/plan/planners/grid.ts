import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import { mixSeed, permutation } from '../../util/random.ts'
import { countsVariants, trialSize } from '../identity.ts'
import type { PlanPart } from '../plan-part.ts'
import type { Planner, PlannerMethod, PlannerOptions } from '../planner.ts'
import { planOf } from '../runs/plan.ts'

/** Every variant in every block and replicate. The state is how many were proposed. */
export const grid: PlannerMethod = {
  method: 'grid',
  make(experiment, options): Planner {
    const plan = countsVariants(experiment) ? trialByTrial(experiment, options) : inOrder(experiment, options)
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

interface Runs {
  readonly count: number
  at(position: number): Run
}

const inOrder = (experiment: PlanPart, { order, seed }: PlannerOptions): Runs => planOf(experiment, order, seed)

/** One variant after the other, each in all its blocks: in listed order, or in a random one. */
function trialByTrial(experiment: PlanPart, { order, seed }: PlannerOptions): Runs {
  const plan = planOf(experiment, 'listed', seed)
  const size = trialSize(experiment)
  const variants = Math.min(plan.variants, experiment.search?.max_runs ?? plan.variants)
  const place = order === 'listed' ? (index: number) => index : permutation(plan.variants, mixSeed(seed, 'trials'))
  return {
    count: variants * size,
    at: position => plan.at(place(Math.floor(position / size)) * size + (position % size)),
  }
}

function cursorIn(state: Json): number {
  if (typeof state === 'number' && Number.isSafeInteger(state) && state >= 0) return state
  throw new AssayError('internal', `the grid planner was given a state that is not its own: ${JSON.stringify(state)}`)
}
