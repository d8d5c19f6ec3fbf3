import { type Evidence, levelOf, type Observation } from '../define/observation.ts'
import { canonicalJson, type Json, type JsonObject } from '../util/json.ts'

type Runs = readonly Observation[]

/**
 * The same text for what is the same level. Text and number may be: on a command line everything is text. A list of plain
 * values is written there with commas.
 */
export function levelKey(level: Json): string {
  if (level === null) return '\0'
  if (typeof level !== 'object') return String(level)
  return Array.isArray(level) && level.every(part => typeof part !== 'object') ? String(level) : canonicalJson(level)
}

export const sameLevel = (a: Json, b: Json): boolean => a === b || levelKey(a) === levelKey(b)

const levelsKey = (levels: readonly Json[]): string => JSON.stringify(levels.map(levelKey))

/** The runs with these levels. Thousands of arms are asked for, so that runs are grouped once for each set of names. */
export function runsWith(runs: Runs, levels: JsonObject): Runs {
  const names = Object.keys(levels).toSorted()
  if (names.length === 0) return runs
  const groups = remembered(groupsOf, runs, names.join('\n'), () =>
    Map.groupBy(runs, run => levelsKey(names.map(name => levelOf(run, name)))),
  )
  return groups.get(levelsKey(names.map(name => levels[name] ?? null))) ?? []
}

/** The levels of a factor or block in these runs, each once. */
export function levelsIn(runs: Runs, name: string): readonly Json[] {
  return remembered(levelsThere, runs, name, () => {
    const seen = new Set<Json>()
    const levels = new Map<string, Json>()
    for (const run of runs) {
      const level = levelOf(run, name)
      if (seen.has(level)) continue
      seen.add(level)
      levels.set(canonicalJson(level), level)
    }
    return [...levels.values()]
  })
}

/** The names of all parameters that a run has. */
export function paramsIn(runs: Runs): readonly string[] {
  return remembered(namesThere, runs, '', () => {
    const names = new Set<string>()
    for (const { params } of runs) for (const name in params) names.add(name)
    return [...names]
  })
}

/** The levels of a factor that were run, in the order in which they were written. */
export function levelsOf(evidence: Evidence, factor: string): readonly Json[] {
  const there = levelsIn(evidence.runs, factor)
  const keys = new Set(there.map(levelKey))
  const listed = (evidence.levels[factor] ?? []).filter(level => keys.has(levelKey(level)))
  const known = new Set(listed.map(levelKey))
  return [...listed, ...there.filter(level => !known.has(levelKey(level)))]
}

/** Where each level stands in a list, by its key. */
export const placesOf = (levels: readonly Json[]): ReadonlyMap<string, number> =>
  new Map(levels.map((level, place) => [levelKey(level), place] as const).toReversed())

const groupsOf = new WeakMap<Runs, Map<string, ReadonlyMap<string, Runs>>>()
const namesThere = new WeakMap<Runs, Map<string, readonly string[]>>()
const levelsThere = new WeakMap<Runs, Map<string, readonly Json[]>>()

/** What was found in a list of runs before. Lists are never changed, and forgotten together with what was found in them. */
function remembered<T>(found: WeakMap<Runs, Map<string, T>>, runs: Runs, name: string, find: () => T): T {
  const own = found.get(runs) ?? new Map<string, T>()
  found.set(runs, own)
  const value = own.get(name) ?? find()
  own.set(name, value)
  return value
}
