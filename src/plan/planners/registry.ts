import type { Experiment } from '../../define/experiment.ts'
import type { Planner, PlannerMethod, PlannerOptions } from '../planner.ts'
import { selecting } from '../select/selecting.ts'
import { grid } from './grid.ts'

/** All planners by method. A new one is a file and a line here. */
export const plannerMethods: readonly PlannerMethod[] = [grid]

/** The planner that an experiment asks for, proposing only what is selected. */
export function plannerFor(experiment: Experiment, options: PlannerOptions): Planner {
  return selecting(grid.make(experiment, options), options.selection, experiment)
}
