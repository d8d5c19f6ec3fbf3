import type { z } from 'zod'
import type { Experiment } from '../define/experiment.ts'
import { experimentFrom, loadExperiment } from '../define/load-experiment.ts'
import type { experimentSchema } from '../define/schema/experiment-schema.ts'
import type { Target } from '../define/target.ts'
import { checkPlan } from '../plan/check-plan.ts'
import { inlineTarget, type RunFunction } from '../targets/inline.ts'
import { targetFor, targets } from '../targets/registry.ts'
import { AssayError } from '../util/errors.ts'
import type { Json } from '../util/json.ts'

/** An experiment as it is written: what the configuration file holds, or a function in the place of the target. */
export type ExperimentDefinition = Omit<z.input<ReturnType<typeof experimentSchema>>, 'target'> & {
  readonly target: RunFunction | { readonly kind: string; readonly [key: string]: unknown }
}

/** A checked experiment and what its runs do. */
export interface DefinedExperiment {
  readonly experiment: Experiment
  readonly target: Target
}

/**
 * Checks an experiment and fills in all defaults. Everything wrong with it is in the one error that is thrown.
 *
 * @example
 * const experiment = defineExperiment({
 *   name: 'squares',
 *   factors: { x: [1, 2, 3] },
 *   seeds: [1, 2],
 *   target: ({ x }) => ({ square: Number(x) ** 2 }),
 * })
 */
export function defineExperiment(
  definition: ExperimentDefinition,
  options: { readonly folder?: string } = {},
): DefinedExperiment {
  const cwd = process.cwd()
  const folder = options.folder ?? cwd
  if (typeof definition.target !== 'function')
    return checked(experimentFrom(plainData(definition), { targets, cwd, folder }))
  const target = inlineTarget(definition.target) as Target
  const written = { ...definition, target: { kind: 'inline' } }
  return checked(experimentFrom(plainData(written), { targets: [...targets, target], cwd, folder }), target)
}

/** The same from a configuration file, in any dialect. */
export function loadExperimentFile(file: string): DefinedExperiment {
  return checked(loadExperiment(file, { targets, cwd: process.cwd() }))
}

function checked(experiment: Experiment, target: Target = targetFor(experiment.target.kind)): DefinedExperiment {
  const [problem] = checkPlan(experiment)
  if (problem !== undefined)
    throw new AssayError('config', `${problem.path.join('.')}: ${problem.message}`, {
      ...(problem.hint && { hint: problem.hint }),
    })
  return { experiment, target }
}

/** What a file could hold: functions and undefined are not among it. */
const plainData = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json
