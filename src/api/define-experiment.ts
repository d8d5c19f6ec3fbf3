import type { Experiment } from '../define/experiment.ts'
import { experimentFrom, loadExperiment, type WrittenExperiment } from '../define/load-experiment.ts'
import type { Target } from '../define/target.ts'
import { checkedPlan } from '../plan/plan.ts'
import { inlineTarget, type RunFunction } from '../targets/inline.ts'
import { targetFor, targets } from '../targets/registry.ts'
import { AssayError } from '../util/errors.ts'
import type { Json, JsonObject } from '../util/json.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import type {
  AblationsInput,
  AnyMetrics,
  FactorsInput,
  IncludeInput,
  MetricsInput,
  MetricsOf,
  Nothing,
  ParamsOf,
  TypedFunction,
  ZipInput,
} from './typed.ts'

/**
 * An experiment as it is written: what the configuration file holds, or a function in the place of the target. The
 * function's parameters follow from factors, `params` and `zip`.
 */
export type ExperimentDefinition<
  F extends FactorsInput = FactorsInput,
  P extends JsonObject = JsonObject,
  Z extends ZipInput = ZipInput,
  I extends IncludeInput = IncludeInput,
  A extends AblationsInput = AblationsInput,
  N extends MetricsInput = MetricsInput,
  R = unknown,
> = Omit<WrittenExperiment, keyof Known> & {
  readonly factors?: F
  readonly params?: P
  readonly zip?: Z
  readonly include?: I
  readonly ablations?: A
  readonly metrics?: N
  readonly target:
    | TypedFunction<ParamsOf<F, P, Z, I, A>, R>
    | { readonly kind: string; readonly [key: string]: unknown }
}

/** The parts that types are inferred from. */
type Known = Record<'factors' | 'params' | 'zip' | 'include' | 'ablations' | 'metrics' | 'target', unknown>

/** A checked experiment with its run function; its types know the parameters and metrics of a run. */
export interface DefinedExperiment<P = JsonObject, M = AnyMetrics> {
  readonly experiment: Experiment
  readonly target: Target
  /** Never there: for types only. */
  readonly types?: readonly [params: P, metrics: M]
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
 *   target: ({ x }) => ({ square: x ** 2 }),
 * })
 */
export function defineExperiment<
  const F extends FactorsInput = Nothing,
  const P extends JsonObject = Nothing,
  const Z extends ZipInput = readonly [],
  const I extends IncludeInput = readonly [],
  const A extends AblationsInput = readonly [],
  N extends MetricsInput = Nothing,
  R = unknown,
>(
  definition: ExperimentDefinition<F, P, Z, I, A, N, R>,
  options: { readonly folder?: string } = {},
): DefinedExperiment<ParamsOf<F, P, Z, I, A>, MetricsOf<R, N>> {
  refuseUnknown('defineExperiment', options, { folder: true })
  const cwd = process.cwd()
  const folder = options.folder ?? cwd
  const { target: given } = definition
  if (typeof given !== 'function') return checked(experimentFrom(plainData(definition), { targets, cwd, folder }))
  // A run has only the definition's parameters, because the plan creates them from nothing else.
  const target = inlineTarget(given as RunFunction) as Target
  const written = { ...definition, target: { kind: 'inline' } }
  return checked(experimentFrom(plainData(written), { targets: [...targets, target], cwd, folder }), target)
}

/** The same from a configuration file, in any dialect. */
export function loadExperimentFile(file: string): DefinedExperiment {
  return checked(loadExperiment(file, { targets, cwd: process.cwd() }))
}

function checked<P, M>(experiment: Experiment, target: Target = targetFor(experiment)): DefinedExperiment<P, M> {
  const { problems, experiment: noted } = checkedPlan(experiment)
  const [problem] = problems
  if (problem !== undefined)
    throw new AssayError('config', problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'), {
      ...(problem.hint && { hint: problem.hint }),
    })
  return { experiment: noted, target }
}

/** Data that a file could contain. Anything else would silently be converted, so it is refused. */
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
