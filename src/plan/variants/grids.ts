import type { Factor } from '../../define/experiment.ts'
import { includedLevels, levelsIn, listedNames } from '../../define/levels.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'
import type { PlanPart } from '../plan-part.ts'
import { type Axis, makeAxis } from './axis.ts'
import { levelOf } from './level.ts'

/** Crossed axes, and the parameters that are constant in all their cells. */
export interface Grid {
  readonly constants: JsonObject
  /** The last one varies fastest. */
  readonly axes: readonly Axis[]
  /** The names of all columns. */
  readonly columns: ReadonlySet<string>
}

/** The experiment's own grid, then a small one for each `include`. The plan is their union. */
export function gridsOf(experiment: PlanPart): readonly Grid[] {
  const { factors, zip, include } = experiment
  const groups = [...factors.map(factor => [factor]), ...zip]
  const shape = { experiment, groups, ablations: ablationGroup(experiment), listed: listedNames(experiment) }
  // An experiment that lists variants and crosses nothing wants the listed ones, without an additional empty one.
  const own = include.length > 0 && groups.length === 0 ? [] : [gridWith({}, shape)]
  return [...own, ...include.map(entry => gridWith(entry, shape))]
}

type Group = readonly Pick<Factor, 'name' | 'levels'>[]

interface Shape {
  readonly experiment: PlanPart
  readonly groups: readonly Group[]
  readonly ablations: readonly Group[]
  /** Names that are not factors but vary: an axis in every grid that has them. */
  readonly listed: ReadonlySet<string>
}

function gridWith(entry: JsonObject, { experiment, groups, ablations, listed }: Shape): Grid {
  const { params } = experiment
  const crossed = new Set([...groups, ...ablations].flat().map(({ name }) => name))
  const others = Object.entries(entry).filter(([name]) => !crossed.has(name))
  const fixed = Object.entries({ ...params, ...Object.fromEntries(others) }).filter(([name]) => !listed.has(name))
  const added = [...listed].flatMap(name => {
    const given = entry[name]
    if (given !== undefined) return [[{ name, levels: includedLevels(name, given, experiment) }]]
    return params[name] === undefined ? [] : [[{ name, levels: [params[name]] }]]
  })
  const chosen = (wanted: readonly Group[]) => wanted.flatMap(group => includedGroups(entry, group))
  const all = [...chosen(groups), ...added, ...chosen(ablations)]
  return {
    constants: Object.fromEntries(fixed),
    axes: all.map(axisOf),
    columns: new Set(all.flat().map(({ name }) => name)),
  }
}

const ablationGroup = ({ ablations }: PlanPart): readonly Group[] =>
  ablations.length === 0 ? [] : [[{ name: 'ablation', levels: ablations.map(({ name }) => name) }]]

const axisOf = (group: Group): Axis =>
  makeAxis(group.map(({ name, levels }) => ({ name, levels: levels.map(levelOf) })))

/** The rows of a group that the entry asks for; if none has these levels, they form a row of their own. */
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
