import type { Experiment } from '../define/experiment.ts'
import type { Run } from '../define/run.ts'
import { type PlannerOptions, plannedRuns } from './planner.ts'
import { plannerFor } from './planners/registry.ts'

/** The runs of an experiment as far as they can be known without running any, one by one: a million need no memory. */
export const planRuns = (experiment: Experiment, options: PlannerOptions): Iterable<Run> =>
  plannedRuns(plannerFor(experiment, options))

/** How many runs there will be; null when only the future can tell. */
export const countRuns = (experiment: Experiment, options: PlannerOptions): number | null =>
  plannerFor(experiment, options).count()
