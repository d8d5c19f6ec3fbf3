import { canonicalJson } from '../../util/json.ts'
import type { Grid } from './grids.ts'
import { levelOf } from './level.ts'
import { type State, significantColumns } from './state.ts'

/** Whether a grid has a cell with the same variant, by looking up its levels. Requirements are the same everywhere. */
export function isIn(other: Grid, state: State): boolean {
  return hasSameConstants(other, state) && other.axes.every(axis => hasSameLevels(axis, state))
}

function hasSameLevels(axis: Grid['axes'][number], state: State): boolean {
  const levels = axis.columns.map(({ name }) => levelOf(state.scope[name] ?? null))
  return axis.find(levels, significantColumns(axis.columns, state)) !== null
}

function hasSameConstants(other: Grid, { grid, rules, scope }: State): boolean {
  const ablation = scope.ablation
  const set = typeof ablation === 'string' ? (rules.ablations.get(ablation)?.set ?? {}) : {}
  const names = new Set([other, grid].flatMap(({ constants, columns }) => [...Object.keys(constants), ...columns]))
  return [...names].every(name => Object.hasOwn(set, name) || text(other, name) === text(grid, name))
}

/**
 * A name that is an axis in both is checked level by level; a name that only one of them has makes all its variants
 * different.
 */
const text = ({ constants, columns }: Grid, name: string): string | null => {
  if (columns.has(name)) return 'an axis'
  const value = constants[name]
  return value === undefined ? null : canonicalJson(value)
}
