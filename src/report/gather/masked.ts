import type { Experiment } from '../../define/experiment.ts'
import type { EvidenceRun } from '../../plan/evidence.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'

/** Names under which people keep secrets; not `max_tokens` or `tokenizer`. */
const secretName = /api_?key|secret|passw|credential|private_?key|(access|auth|bearer|refresh)_?token|^token$/i

const mask = '(masked)'

/** A definition that can be shown to anybody: no value of an environment variable, and nothing that is called a secret. */
export function maskedDefinition(definition: Experiment): Experiment {
  const { env, ...target } = definition.target
  const names = isJsonObject(env) ? Object.keys(env) : []
  const variables: JsonObject = names.length === 0 ? {} : { env: Object.fromEntries(names.map(name => [name, mask])) }
  // The shape stays: only texts are replaced.
  return {
    ...(masked(definition as unknown as JsonObject) as unknown as Experiment),
    target: { ...withKind(target), ...variables },
  }
}

const withKind = (target: JsonObject): Experiment['target'] => ({
  ...(masked(target) as JsonObject),
  kind: String(target.kind),
})

export function maskedParameters(runs: readonly EvidenceRun[]): readonly EvidenceRun[] {
  const names = new Set(runs.flatMap(run => Object.keys(run.params)))
  if (![...names].some(name => secretName.test(name))) return runs
  return runs.map(run => ({ ...run, params: masked(run.params) as JsonObject }))
}

function masked(value: Json): Json {
  if (Array.isArray(value)) return value.map(masked)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === 'string' && secretName.test(name) ? mask : masked(item),
    ]),
  )
}
