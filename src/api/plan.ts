import type { Run } from '../define/run.ts'
import { planRuns } from '../plan/plan.ts'
import type { PlannerOptions, Selection } from '../plan/planner.ts'
import type { DefinedExperiment } from './define-experiment.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import type { TypedRun } from './typed.ts'

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
export function plan<P, M>(defined: DefinedExperiment<P, M>, options: PlanOptions = {}): Generator<TypedRun<P>> {
  refuseUnknown('plan', options, planOptionNames)
  // The parameters of a run are those of the definition, whose types say which there are.
  return plannedFrom(defined, options) as Generator<Run> as Generator<TypedRun<P>>
}

function* plannedFrom(defined: DefinedExperiment<unknown, unknown>, options: PlanOptions): Generator<Run> {
  yield* planRuns(defined.experiment, plannerOptions(defined, options))
}

export function plannerOptions(
  { experiment }: DefinedExperiment<unknown, unknown>,
  options: PlanOptions,
): PlannerOptions {
  return {
    order: experiment.order,
    seed: experiment.seed,
    selection: { filters: options.filters ?? [], first: options.first ?? null, shard: options.shard ?? null },
  }
}
