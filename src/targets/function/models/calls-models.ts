import type { Experiment } from '../../../define/experiment.ts'
import type { Run } from '../../../define/run.ts'
import type { Bound, Completion, Problem, WrittenAround } from '../../../define/target.ts'
import { behaviourDigests, isModelName } from '../../../models/names/settings-of.ts'
import { readyModels } from '../../ready-models.ts'

/** The part of a function's spec that says whether it calls models. */
interface Spec {
  readonly kind: string
  readonly models?: boolean | readonly string[] | undefined
}

/**
 * Determines whether a function calls models. It does if it says so, if the experiment has settings for models, which
 * nothing else would use, or if all its levels of `model` are names of models. A list of names is the factor `model`.
 */
export function completeModels<S extends Spec>(spec: S, around: WrittenAround): Completion {
  const { models } = spec
  const isFree = !around.factors.includes('model') && around.params.model === undefined
  const calls = models ?? seemsToCall(around)
  return {
    // Plain data all through; undefined is absent.
    spec: JSON.parse(JSON.stringify({ ...spec, ...(calls !== false && { models: calls }) })),
    factors: Array.isArray(models) && isFree ? [{ name: 'model', levels: models, when: null }] : [],
    blocks: [],
    metrics: [],
    contents: calls === false ? {} : contentsOf(around),
    problems: Array.isArray(models) && !isFree ? [listedTwice] : [],
  }
}

const listedTwice: Problem = {
  path: ['target', 'models'],
  message: 'lists models, and "model" is a factor or parameter already',
  hint: 'leave one of them out, or write "models: true" here',
}

/** A level that names a model refers to that model's settings, whichever factor it belongs to. */
function contentsOf({ models, factors }: WrittenAround): Completion['contents'] {
  const digests = behaviourDigests(models)
  if (Object.keys(digests).length === 0) return {}
  return Object.fromEntries([...new Set(['model', ...factors])].map(name => [name, digests]))
}

function seemsToCall({ models, levelsOf }: WrittenAround): boolean {
  if (Object.keys(models).length > 0) return true
  const levels = levelsOf('model')
  return levels.length > 0 && levels.every(level => typeof level === 'string' && isModelName(level, models))
}

/** A function that calls models only spends money on calls; for other functions, only the experiment can say. */
export const boundOfModels = ({ models = false }: Spec): Bound => (models === false ? 'unknown' : 'per_call')

/** Whether the models that runs are given as `model` are known, can be reached and have a price. */
export async function readyFunction(
  { models = false }: Spec,
  experiment: Experiment,
  runs: Iterable<Run>,
): Promise<readonly Problem[]> {
  if (models === false) return []
  const names = new Set<string>()
  for (const { params } of runs) if (typeof params.model === 'string') names.add(params.model)
  return readyModels([...names], experiment)
}
