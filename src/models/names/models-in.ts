import type { Experiment } from '../../define/experiment.ts'
import { isJsonObject, type Json } from '../../util/json.ts'

/** The models that an experiment names, in the order in which they are met: wherever a key says that it is a model. */
export function modelsIn({ models, target, params, factors, zip, include, ablations }: NamingParts): readonly string[] {
  const named = [...factors, ...zip.flat()].filter(({ name }) => isModelKey(name)).flatMap(({ levels }) => levels)
  const written = [target, params, ...include, ...ablations.map(({ set }) => set)].flatMap(part => modelsUnder(part))
  const all = [...textsIn(named), ...written, ...Object.keys(models ?? {})]
  return [...new Set(all)].filter(name => name !== 'same')
}

export type NamingParts = Pick<Experiment, 'models' | 'target' | 'params' | 'factors' | 'zip' | 'include' | 'ablations'>

/** `model`, `models`, `summarizer_model`, `summarizer-model`, `judge`. */
const isModelKey = (key: string): boolean => /(^|[_.-])(models?|judge)$/i.test(key)

function modelsUnder(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(modelsUnder)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => (isModelKey(key) ? textsIn(item) : modelsUnder(item)))
}

/** Placeholders such as `{model}` are filled in elsewhere. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return /[{}]/.test(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? modelsUnder(value) : []
}
