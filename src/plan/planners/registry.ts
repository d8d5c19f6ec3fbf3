import type { Experiment } from '../../define/experiment.ts'
import type { Planner, PlannerOptions } from '../planner.ts'
import { selecting } from '../select/selecting.ts'
import { grid } from './grid.ts'

/** The planner that an experiment asks for, proposing only what is selected. A new method is a file, and a choice here. */
export function plannerFor(experiment: Experiment, options: PlannerOptions): Planner {
  return selecting(grid.make(experiment, options), options.selection, experiment)
}
