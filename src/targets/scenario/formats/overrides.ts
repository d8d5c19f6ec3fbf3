import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { appended, isStateChange, stateProblems } from '../branch-state.ts'
import { actorAliases, actorFile } from './actor-schema.ts'
import { assembleFiles, type OverrideProblem, type ScenarioFiles } from './scenario-files.ts'
import { scenarioAliases, scenarioFile } from './scenario-schema.ts'

/** Parameters that select which scenario is run, and override nothing. */
const others = ['scenario', 'branch_from']

/** Whether a parameter is a path into a scenario. */
export const isOverride = (name: string): boolean =>
  name === 'initial_world_state' || /^(scenario|actors|metrics)\../.test(name)

/** The files with the values that parameters such as `actors.regulator.model` and `scenario.turns` give. */
export function withOverrides(
  files: ScenarioFiles,
  params: JsonObject,
): { readonly files: ScenarioFiles; readonly problems: readonly OverrideProblem[] } {
  const problems: OverrideProblem[] = []
  let made = files
  for (const [name, value] of Object.entries(params)) {
    if (others.includes(name) || isStateChange(name)) continue
    const changed = isOverride(name) ? override(made, name, value) : unknownName(name, files)
    if ('message' in changed) problems.push(changed)
    else made = changed
  }
  return { files: made, problems }
}

/** Problems that a value causes. */
export function overrideProblems(files: ScenarioFiles, name: string, value: Json): readonly OverrideProblem[] {
  if (isStateChange(name)) return stateProblems(files, name, value)
  const { files: changed, problems } = withOverrides(files, { [name]: value })
  if (problems.length > 0) return problems
  return assembleFiles(changed).problems.map(message => ({ name, message, isAboutValue: true }))
}

function override(files: ScenarioFiles, name: string, value: Json): ScenarioFiles | OverrideProblem {
  if (name === 'initial_world_state') return override(files, 'scenario.initial_world_state', worldState(files, value))
  const [part = '', ...path] = name.split('.')
  if (part === 'scenario') return inScenario(files, name, path, value)
  return part === 'actors' ? inActor(files, name, path, value) : inMetrics(files, name, path, value)
}

/** A text, or `{ append: text }` for one that is added to the scenario's own. */
function worldState({ scenario }: ScenarioFiles, value: Json): Json {
  const added = appended(value)
  return added === null ? value : `${String(scenario.initial_world_state ?? '').trimEnd()}\n\n${added}`
}

function inScenario(
  files: ScenarioFiles,
  name: string,
  path: readonly string[],
  value: Json,
): ScenarioFiles | OverrideProblem {
  const [first = '', ...rest] = path
  const key = scenarioAliases[first] ?? first
  if (!Object.hasOwn(scenarioFile.unwrap().shape, key))
    return unknownKey(name, key, Object.keys(scenarioFile.unwrap().shape), 'scenario.yaml')
  const scenario = set(files.scenario, [key, ...rest], value)
  return scenario === null ? noSuchPath(name) : { ...files, scenario }
}

function inActor(
  files: ScenarioFiles,
  name: string,
  [actor = '', ...path]: readonly string[],
  value: Json,
): ScenarioFiles | OverrideProblem {
  const short = shortNameOf(actor, files)
  const names = Object.keys(files.actors)
  if (short === null)
    return {
      name,
      message: `there is no actor "${actor}"`,
      hint: didYouMean(actor, names) ?? `actors: ${names.join(', ')}`,
    }
  const [first, ...rest] = path
  if (first === undefined)
    return { name, message: 'expected a key of the actor', hint: `for example actors.${actor}.model` }
  const key = actorAliases[first] ?? first
  if (!Object.hasOwn(actorFile.unwrap().shape, key))
    return unknownKey(
      name,
      first,
      [...Object.keys(actorFile.unwrap().shape), ...Object.keys(actorAliases)],
      `the file of ${short}`,
    )
  if (key === 'short_name') return { name, message: 'a short name identifies an actor and must not vary' }
  const known = files.actors[short]
  const text = known === undefined ? null : set(known.text, [key, ...rest], value)
  if (known === undefined || text === null) return noSuchPath(name)
  return { ...files, actors: { ...files.actors, [short]: { ...known, text } } }
}

/** By short name; also by the name of its file, which Scenario Lab lists. */
export function shortNameOf(actor: string, { actors }: ScenarioFiles): string | null {
  if (Object.hasOwn(actors, actor)) return actor
  const byFile = Object.entries(actors).find(([, { file }]) => file.replace(/^actors\/|\.[^.]+$/g, '') === actor)
  return byFile?.[0] ?? null
}

function inMetrics(
  files: ScenarioFiles,
  name: string,
  [metric = '', ...path]: readonly string[],
  value: Json,
): ScenarioFiles | OverrideProblem {
  const { metrics } = files
  const all = isJsonObject(metrics) ? metrics.metrics : undefined
  if (!isJsonObject(metrics) || all === undefined) return { name, message: 'the scenario has no metrics.yaml' }
  const isNamed = (one: Json) => isJsonObject(one) && one.name === metric
  const names = Array.isArray(all)
    ? all.flatMap(one => (isJsonObject(one) ? [String(one.name)] : []))
    : Object.keys(all ?? {})
  const known = Array.isArray(all)
    ? all.find(isNamed)
    : isJsonObject(all) && Object.hasOwn(all, metric)
      ? all[metric]
      : undefined
  if (!isJsonObject(known))
    return {
      name,
      message: `there is no metric "${metric}"`,
      hint: didYouMean(metric, names) ?? `metrics: ${names.join(', ')}`,
    }
  const changed = path.length === 0 ? null : set(known, path, value)
  if (changed === null) return noSuchPath(name)
  const made = Array.isArray(all)
    ? all.map(one => (isNamed(one) ? changed : one))
    : { ...(isJsonObject(all) ? all : {}), [metric]: changed }
  return { ...files, metrics: { ...metrics, metrics: made } }
}

/** A copy with the value at this path; null: something on the path is not a map. */
function set(data: JsonObject, [key = '', ...rest]: readonly string[], value: Json): { [key: string]: Json } | null {
  if (rest.length === 0) return { ...data, [key]: value }
  const inner = Object.hasOwn(data, key) ? (data[key] ?? {}) : {}
  if (!isJsonObject(inner)) return null
  const changed = set(inner, rest, value)
  return changed === null ? null : { ...data, [key]: changed }
}

const noSuchPath = (name: string): OverrideProblem => ({
  name,
  message: `"${name}" leads nowhere: there is no map at a part of this path`,
})

const unknownKey = (name: string, key: string, known: readonly string[], where: string): OverrideProblem => ({
  name,
  message: `there is no key "${key}" in ${where}`,
  hint: didYouMean(key, known) ?? `known: ${known.join(', ')}`,
})

function unknownName(name: string, { actors }: ScenarioFiles): OverrideProblem {
  const paths = [
    'initial_world_state',
    'world_state',
    'scenario.turns',
    ...Object.keys(actors).map(actor => `actors.${actor}.model`),
    ...others,
  ]
  return {
    name,
    message: `"${name}" changes nothing in a scenario`,
    hint: didYouMean(name, paths) ?? 'name a path: scenario.turns, actors.<short_name>.model, initial_world_state',
  }
}
