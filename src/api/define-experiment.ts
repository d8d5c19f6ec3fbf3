import type { z } from 'zod'
import type { Experiment } from '../define/experiment.ts'
import { experimentFrom, loadExperiment } from '../define/load-experiment.ts'
import type { experimentSchema } from '../define/schema/experiment-schema.ts'
import type { Target } from '../define/target.ts'
import { checkPlan } from '../plan/check-plan.ts'
import { withIdleNotes } from '../plan/idle-parts.ts'
import { inlineTarget, type RunFunction } from '../targets/inline.ts'
import { targetFor, targets } from '../targets/registry.ts'
import { AssayError } from '../util/errors.ts'
import type { Json } from '../util/json.ts'
import { refuseUnknown } from './refuse-unknown.ts'

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
 * Checks an experiment and fills in all defaults. The error that is thrown has everything that one round of checks
 * found: of the shape, then of levels, files and the target, then of the plan.
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
  refuseUnknown('defineExperiment', options, { folder: true })
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
  const problems = checkPlan(experiment)
  const [problem] = problems
  if (problem !== undefined)
    throw new AssayError('config', problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'), {
      ...(problem.hint && { hint: problem.hint }),
    })
  return { experiment: withIdleNotes(experiment), target }
}

/** What a file could hold. Anything else would silently turn into something else, and is refused. */
export function plainData(value: unknown, path = 'the experiment'): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map((item, index) => plainData(item, `${path}[${index}]`))
  if (
    typeof value === 'object' &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  ) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    return Object.fromEntries(entries.map(([name, item]) => [name, plainData(item, `${path}.${name}`)]))
  }
  throw new AssayError(
    'config',
    `${path}: expected plain data, got ${typeof value === 'object' ? 'an object of a class' : String(value)}`,
  )
}
