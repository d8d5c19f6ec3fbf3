import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'
import type { Factor } from '../../experiment.ts'

/** What a variation changes, in Scenario Lab's form. */
export interface Modifications {
  readonly actor_models: { readonly [actor: string]: string }
  readonly scenario_overrides: JsonObject
}

export function modificationsOf(params: JsonObject): Modifications {
  const models: [string, string][] = []
  const others: [string, Json][] = []
  for (const [name, value] of Object.entries(params)) {
    // The scenario itself is the same for all of them.
    if (name === 'scenario') continue
    const actor = actorOfModel(name)
    if (actor !== null && typeof value === 'string') models.push([actor, value])
    else others.push([name.replace(/^scenario\./, ''), value])
  }
  return { actor_models: Object.fromEntries(models), scenario_overrides: Object.fromEntries(others) }
}

/** `regulator=gpt-4o-mini, turns=5`: models without their vendor, unless two of them would then have the same name. */
export function describeVariation(params: JsonObject, factors: readonly Factor[]): string {
  const parts = factors.flatMap(({ name, levels }) => {
    const level = params[name]
    return level === undefined || name === 'scenario' ? [] : [`${shortName(name)}=${shortLevel(name, level, levels)}`]
  })
  if (params.branch_from !== undefined)
    parts.push(`from ${String(params.branch_from)}`, ...ownOfBranch(params, factors))
  return parts.length === 0 ? 'Base configuration' : parts.join(', ')
}

/** Parameters that only branches have. */
const ownOfBranch = (params: JsonObject, factors: readonly Factor[]): readonly string[] =>
  Object.entries(params)
    .filter(([name]) => !['scenario', 'branch_from'].includes(name) && !factors.some(factor => factor.name === name))
    .map(([name, level]) => `${shortName(name)}=${shortLevel(name, level, [])}`)

const actorOfModel = (name: string): string | null => /^actors\.([^.]+)\.(?:llm_)?model$/.exec(name)?.[1] ?? null

const shortName = (name: string): string => actorOfModel(name) ?? name.replace(/^(scenario|actors)\./, '')

function shortLevel(name: string, level: Json, levels: readonly Json[]): string {
  const text = (one: Json): string => (typeof one === 'string' ? one : canonicalJson(one))
  const short = (one: Json): string => (actorOfModel(name) === null ? cut(text(one)) : text(one).replace(/^.*\//, ''))
  const distinct = [...new Map(levels.map(other => [canonicalJson(other), other])).values()]
  const isAlone = distinct.filter(other => short(other) === short(level)).length <= 1
  if (isAlone) return short(level)
  const place = distinct.findIndex(other => canonicalJson(other) === canonicalJson(level)) + 1
  return actorOfModel(name) === null ? `${short(level)} (${place})` : text(level)
}

/** The complete state of the world is too long for a label. */
const cut = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 57).trimEnd()}…` : line
}
