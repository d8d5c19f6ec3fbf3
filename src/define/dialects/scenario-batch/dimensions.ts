import { isJsonObject, type Json } from '../../../util/json.ts'
import type { Path } from '../../source/source.ts'

/** One entry of `variations`: what it varies, and where that is written. */
export interface Dimension {
  /** The name of the factor; null: its type is not known. */
  readonly factor: string | null
  readonly type: string
  readonly levels: readonly Json[]
  readonly valuesAt: Path
  /** Where the actor or the parameter is named. */
  readonly nameAt: Path
  readonly at: Path
}

export const variationTypes = ['actor_model', 'scenario_parameter', 'initial_world_state'] as const

/** All entries, in whichever of the two forms; also of a file that is not right in other respects. */
export function dimensionsIn(value: Json): readonly Dimension[] {
  const variations = isJsonObject(value) ? value.variations : undefined
  if (Array.isArray(variations))
    return variations.flatMap((entry: Json, index) => ofEntry(entry, ['variations', index]))
  if (!isJsonObject(variations)) return []
  return [
    ...byName(variations.actor_models, 'actor_model', ['variations', 'actor_models']),
    ...byName(variations.scenario_parameters, 'scenario_parameter', ['variations', 'scenario_parameters']),
  ]
}

function ofEntry(entry: Json, at: Path): readonly Dimension[] {
  if (!isJsonObject(entry) || typeof entry.type !== 'string') return []
  const { type, actor, parameter, values } = entry
  const key = type === 'actor_model' ? 'actor' : type === 'scenario_parameter' ? 'parameter' : 'type'
  const name = key === 'actor' ? actor : key === 'parameter' ? parameter : type
  return [
    {
      ...{ type, at, nameAt: [...at, key], valuesAt: [...at, 'values'] },
      factor: typeof name === 'string' ? factorOf(type, name) : null,
      levels: Array.isArray(values) ? values : [],
    },
  ]
}

const byName = (written: Json | undefined, type: string, at: Path): readonly Dimension[] =>
  isJsonObject(written)
    ? Object.entries(written).map(([name, values]) => ({
        ...{ type, at: [...at, name], nameAt: [...at, name], valuesAt: [...at, name] },
        factor: factorOf(type, name),
        levels: Array.isArray(values) ? values : [],
      }))
    : []

/** The parameter of the target `scenario` that it sets; null: there is no such type. */
function factorOf(type: string, name: string): string | null {
  if (type === 'actor_model') return `actors.${name}.model`
  if (type === 'initial_world_state' || isPath(type)) return type
  if (type !== 'scenario_parameter') return null
  return isPath(name) || name === 'initial_world_state' ? name : `scenario.${name}`
}

/** Into one of the files of a scenario; what is no path is a key of scenario.yaml. */
const isPath = (name: string): boolean => /^(scenario|actors|metrics)\../.test(name)
