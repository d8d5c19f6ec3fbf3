import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { Path } from '../../source/source.ts'

/** Something that varies, and where it is written. An entry of `variations` has one, or several that vary together. */
export interface Dimension {
  /** The name of the factor; null: its type is unknown. */
  readonly factor: string | null
  readonly type: string
  readonly levels: readonly Json[]
  readonly valuesAt: Path
  readonly levelAt: (index: number) => Path
  /** Where the actor or the parameter is named. */
  readonly nameAt: Path
  readonly at: Path
  /** The index of its entry, from 0. */
  readonly entry: number
  /** Whether it varies together with the others of its entry, row by row. */
  readonly isTied: boolean
}

const plainTypes = ['actor_model', 'scenario_parameter', 'initial_world_state'] as const
export const variationTypes = [...plainTypes, 'zip', 'list'] as const

/** All dimensions, however they are written; also of a file with other errors. */
export function dimensionsIn(value: Json): readonly Dimension[] {
  const variations = isJsonObject(value) ? value.variations : undefined
  if (Array.isArray(variations))
    return variations.flatMap((entry: Json, index) => {
      const place: Place = { at: ['variations', index], entry: index, isTied: false }
      if (!isJsonObject(entry)) return []
      if (entry.type === 'zip') return ofZip(entry, place)
      return entry.type === 'list' ? ofList(entry, place) : ofEntry(entry, place)
    })
  if (!isJsonObject(variations)) return []
  const models = byName(variations.actor_models, 'actor_model', ['variations', 'actor_models'], 0)
  const parameters = byName(
    variations.scenario_parameters,
    'scenario_parameter',
    ['variations', 'scenario_parameters'],
    models.length,
  )
  return [...models, ...parameters]
}

type Place = Pick<Dimension, 'at' | 'entry' | 'isTied'>

/** By column: the first values together, the second values together, … */
const ofZip = ({ variations }: JsonObject, { at, entry }: Place): readonly Dimension[] =>
  Array.isArray(variations)
    ? variations.flatMap((one: Json, index) => ofEntry(one, { at: [...at, 'variations', index], entry, isTied: true }))
    : []

/** By row: every value is a variation, with a level for each name. */
function ofList({ values }: JsonObject, { at, entry }: Place): readonly Dimension[] {
  const rows = Array.isArray(values) ? values : []
  const names = new Set(rows.flatMap(row => (isJsonObject(row) ? Object.keys(row) : [])))
  return [...names].map(name => {
    const levelAt = (index: number): Path => [...at, 'values', index, name]
    const first = rows.findIndex(row => isJsonObject(row) && Object.hasOwn(row, name))
    return {
      ...{ type: 'list', at, entry, isTied: true, valuesAt: [...at, 'values'], levelAt, nameAt: levelAt(first) },
      factor: factorOf('scenario_parameter', name),
      levels: rows.map(row => (isJsonObject(row) ? (row[name] ?? null) : null)),
    }
  })
}

function ofEntry(entry: Json, place: Place): readonly Dimension[] {
  if (!isJsonObject(entry) || typeof entry.type !== 'string') return []
  const { type, actor, parameter, values } = entry
  const key = type === 'actor_model' ? 'actor' : type === 'scenario_parameter' ? 'parameter' : 'type'
  const name = key === 'actor' ? actor : key === 'parameter' ? parameter : type
  const valuesAt = [...place.at, 'values']
  return [
    {
      ...{ ...place, type, nameAt: [...place.at, key], valuesAt, levelAt: index => [...valuesAt, index] },
      factor: typeof name === 'string' ? factorOf(type, name) : null,
      levels: Array.isArray(values) ? values : [],
    },
  ]
}

const byName = (written: Json | undefined, type: string, at: Path, before: number): readonly Dimension[] =>
  isJsonObject(written)
    ? Object.entries(written).map(([name, values], index) => {
        const own = [...at, name]
        return {
          ...{ type, at: own, entry: before + index, isTied: false, nameAt: own, valuesAt: own },
          levelAt: level => [...own, level],
          factor: factorOf(type, name),
          levels: Array.isArray(values) ? values : [],
        }
      })
    : []

/** The parameter of the target `scenario` that it sets; null: unknown type. */
function factorOf(type: string, name: string): string | null {
  if (type === 'actor_model') return `actors.${name}.model`
  if (type === 'initial_world_state' || isPath(type)) return type
  if (type !== 'scenario_parameter') return null
  return isPath(name) || name === 'initial_world_state' ? name : `scenario.${name}`
}

/** A path into a file of a scenario; anything else is a key of scenario.yaml. */
const isPath = (name: string): boolean => /^(scenario|actors|metrics)\../.test(name)
