import type { Experiment, Factor } from '../../define/experiment.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { type Axis, makeAxis } from './axis.ts'
import { levelOf } from './level.ts'

/** Some axes crossed, and the parameters that are the same in all of their cells. */
export interface Grid {
  readonly constants: JsonObject
  /** The last one varies fastest. */
  readonly axes: readonly Axis[]
}

/** The experiment's own grid, then a small one for each `include`. The plan is what they hold together. */
export function gridsOf(experiment: Experiment): readonly Grid[] {
  const groups = [...experiment.factors.map(factor => [factor]), ...experiment.zip, ...ablationGroup(experiment)]
  const own = { constants: experiment.params, axes: groups.map(axisOf) }
  const included = experiment.include.map(entry => includedGrid(entry, groups, experiment.params))
  // Someone who lists variants and crosses nothing wants those listed, and not an empty one besides.
  const listedOnly = experiment.include.length > 0 && experiment.factors.length + experiment.zip.length === 0
  return listedOnly ? included : [own, ...included]
}

type Group = readonly Pick<Factor, 'name' | 'levels'>[]

const ablationGroup = ({ ablations }: Experiment): readonly Group[] =>
  ablations.length === 0 ? [] : [[{ name: 'ablation', levels: ablations.map(({ name }) => name) }]]

const axisOf = (group: Group): Axis =>
  makeAxis(group.map(({ name, levels }) => ({ name, levels: levels.map(levelOf) })))

function includedGrid(entry: JsonObject, groups: readonly Group[], params: JsonObject): Grid {
  const factors = new Set(groups.flat().map(({ name }) => name))
  const others = Object.entries(entry).filter(([name]) => !factors.has(name))
  return {
    constants: { ...params, ...Object.fromEntries(others) },
    axes: groups.flatMap(group => includedGroups(entry, group)).map(axisOf),
  }
}

/** The rows of a group that the entry asks for; if none has these levels, they stand for themselves. */
function includedGroups(entry: JsonObject, group: Group): readonly Group[] {
  const named = group.flatMap(({ name, levels }) => {
    const given = entry[name]
    return given === undefined ? [] : [{ name, levels: levelsIn(given, levels) }]
  })
  if (named.length === 0) return [group]
  const rows = Array.from({ length: group[0]?.levels.length ?? 0 }, (_, row) => row).filter(row =>
    named.every(({ name, levels }) => {
      const level = group.find(factor => factor.name === name)?.levels[row]
      return level !== undefined && levels.some(wanted => canonicalJson(wanted) === canonicalJson(level))
    }),
  )
  const unnamed = group.filter(({ name }) => entry[name] === undefined)
  if (group.length === 1 || rows.length === 0)
    return [...named.map(factor => [factor]), ...(unnamed.length === 0 ? [] : [unnamed])]
  return [group.map(({ name, levels }) => ({ name, levels: rows.map(row => levels[row] ?? null) }))]
}

/** Several levels are given as a list, unless that list is itself a level of the factor. */
export function levelsIn(given: Json, levels: readonly Json[]): readonly Json[] {
  if (!Array.isArray(given)) return [given]
  const text = canonicalJson(given)
  return levels.some(level => canonicalJson(level) === text) ? [given] : given
}
