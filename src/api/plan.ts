import type { Run } from '../define/run.ts'
import { plannedRuns } from '../plan/planned-runs.ts'
import type { PlannerOptions, Selection } from '../plan/planner.ts'
import { plannerFor } from '../plan/planners/registry.ts'
import type { DefinedExperiment } from './define-experiment.ts'
import { refuseUnknown } from './refuse-unknown.ts'

/** Which part of the plan is wanted; all of it when nothing is said. */
export type PlanOptions = Partial<Selection>

export const planOptionNames = { filters: true, first: true, shard: true } as const

/**
 * The runs of an experiment, in the order in which they would start. Computed as they are asked for: a plan of a
 * million runs costs nothing until it is walked.
 *
 * @example
 * for (const run of plan(experiment, { filters: ['x > 1'] })) console.log(run.name, run.params, run.seed)
 */
export function plan(defined: DefinedExperiment, options: PlanOptions = {}): Generator<Run> {
  refuseUnknown('plan', options, planOptionNames)
  return plannedFrom(defined, options)
}

function* plannedFrom(defined: DefinedExperiment, options: PlanOptions): Generator<Run> {
  yield* plannedRuns(plannerFor(defined.experiment, plannerOptions(defined, options)))
}

export function plannerOptions({ experiment }: DefinedExperiment, options: PlanOptions): PlannerOptions {
  return {
    order: experiment.order,
    seed: experiment.seed,
    selection: { filters: options.filters ?? [], first: options.first ?? null, shard: options.shard ?? null },
  }
}
