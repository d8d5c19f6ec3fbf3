import type { Experiment } from '../define/experiment.ts'
import type { Run } from '../define/run.ts'
import type { PlannerOptions } from './planner.ts'
import { plannerFor } from './planners/registry.ts'

/** The runs of an experiment as far as they can be known without running any, one by one: a million need no memory. */
export function* planRuns(experiment: Experiment, options: PlannerOptions): Generator<Run, void, undefined> {
  const planner = plannerFor(experiment, options)
  let state = planner.start()
  for (;;) {
    const answer = planner.ask(state, windowSize)
    if (answer === 'done' || answer === 'wait') return
    for (const { run } of answer.runs) yield run
    state = answer.state
  }
}

/** Small, so that runs die young: with a thousand V8 moves them to the old heap now and then, and takes 200 MB more. */
const windowSize = 64

/** How many runs there will be; null when only the future can tell. */
export function countRuns(experiment: Experiment, options: PlannerOptions): number | null {
  return plannerFor(experiment, options).count()
}
