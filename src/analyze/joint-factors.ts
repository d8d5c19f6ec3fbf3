import { type Evidence, levelOf, type Observation } from '../define/observation.ts'
import type { Json, JsonObject } from '../util/json.ts'
import { levelText } from '../util/words.ts'
import { levelKey, levelsOf, sameLevel } from './arms.ts'

/**
 * The factors in groups that always change together in these runs, such as those of a `zip`: the level of one
 * determines that of the others. A group counts as one factor, since runs can't distinguish its members. In the order
 * of their first members.
 */
export function jointGroups(runs: readonly Observation[], factors: readonly string[]): readonly (readonly string[])[] {
  return [...Map.groupBy(factors, factor => partition(runs, factor)).values()]
}

/** Which runs have the same level: equal for factors that determine each other. */
function partition(runs: readonly Observation[], factor: string): string {
  const places = new Map<string, number>()
  return runs
    .map(run => {
      const key = levelKey(levelOf(run, factor))
      const place = places.get(key) ?? places.size
      places.set(key, place)
      return place
    })
    .join(' ')
}

/** `optimizer+momentum`. */
export const jointName = (group: readonly string[]): string => group.join('+')

/** `sgd+0.9`, without levels that do not apply; for a single factor its own level. */
export function jointLevel(levels: readonly Json[]): Json {
  if (levels.length === 1) return levels[0] ?? null
  const there = levels.filter(level => level !== null)
  return there.length === 0 ? null : there.map(levelText).join('+')
}

/** The same evidence in which each of these groups is one factor, with joint levels. */
export function withJointFactors(evidence: Evidence, groups: readonly (readonly string[])[]): Evidence {
  const joint = groups.filter(group => group.length > 1)
  if (joint.length === 0) return evidence
  const levelIn = (run: Observation, group: readonly string[]) => jointLevel(group.map(name => levelOf(run, name)))
  const runs = evidence.runs.map(run => ({
    ...run,
    params: { ...run.params, ...Object.fromEntries(joint.map(group => [jointName(group), levelIn(run, group)])) },
  }))
  const groupOf = new Map(joint.flatMap(group => group.map(name => [name, group] as const)))
  return {
    ...evidence,
    runs,
    factors: [...new Set(evidence.factors.map(name => jointName(groupOf.get(name) ?? [name])))],
    levels: {
      ...evidence.levels,
      ...Object.fromEntries(joint.map(group => [jointName(group), written(evidence, group)])),
    },
    baseline: evidence.baseline && { ...evidence.baseline, ...jointBaseline(evidence, joint, evidence.baseline) },
  }
}

/** In the order in which the levels of the first member were written. */
function written(evidence: Evidence, group: readonly string[]): readonly Json[] {
  const [first = ''] = group
  const runOf = firstRuns(evidence.runs, first)
  return levelsOf(evidence, first).flatMap(level => {
    const run = runOf.get(levelKey(level))
    return run === undefined ? [] : [jointLevel(group.map(name => levelOf(run, name)))]
  })
}

/** The level of each group whose members have the baseline's named levels. */
function jointBaseline({ runs }: Evidence, joint: readonly (readonly string[])[], baseline: JsonObject): JsonObject {
  return Object.fromEntries(
    joint.flatMap(group => {
      const named = group.filter(name => baseline[name] !== undefined)
      const run = runs.find(one => named.every(name => sameLevel(levelOf(one, name), baseline[name] ?? null)))
      if (named.length === 0 || run === undefined) return []
      return [[jointName(group), jointLevel(group.map(name => levelOf(run, name)))] as const]
    }),
  )
}

const firstRuns = (runs: readonly Observation[], factor: string): ReadonlyMap<string, Observation> =>
  new Map(runs.toReversed().map(run => [levelKey(levelOf(run, factor)), run] as const))
