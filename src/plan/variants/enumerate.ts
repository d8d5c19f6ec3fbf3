import type { Grid } from './grids.ts'
import { isIn } from './membership.ts'
import { RowTable } from './row-table.ts'
import type { Rules } from './rules.ts'
import { type Step, scheduleOf } from './schedule.ts'
import { type State, significantColumns } from './state.ts'

/**
 * The cells of a grid that are variants: all requirements hold, nothing absent varies, and no earlier grid contains
 * them. Axis by axis, leaving each dead end as soon as it shows: thirty conditional factors are no problem, although
 * their combinations could never all be tried.
 */
export function enumerate(grid: Grid, rules: Rules, earlier: readonly Grid[]): RowTable {
  const { steps, listed } = scheduleOf(grid, rules)
  const table = new RowTable(grid.axes.map(({ size }) => size))
  const cell = new Uint32Array(grid.axes.length)
  const state: State = { scope: { ...grid.constants }, significant: new Set(), grid, rules, cell }
  const descend = (depth: number): void => {
    const step = steps[depth]
    if (step === undefined) {
      if (!earlier.some(other => isIn(other, state))) table.push(cell)
      return
    }
    // The first step has no axis: it settles what is known before anything is chosen.
    const size = step.axis === null ? 1 : (grid.axes[step.axis]?.size ?? 0)
    for (let row = 0; row < size; row++) {
      if (step.axis !== null) cell[step.axis] = row
      if (isAlive(step, state)) descend(depth + 1)
    }
  }
  descend(0)
  if (!listed) table.sort()
  return table
}

function isAlive(step: Step, state: State): boolean {
  for (const settle of step.settles) settle(state)
  for (const index of step.completes) {
    const axis = state.grid.axes[index]
    if (axis === undefined) continue
    const row = state.cell[index] ?? 0
    if (axis.firstRow(row, significantColumns(axis.columns, state)) !== row) return false
  }
  return step.requirements.every(requirement => requirement.holds(state.scope))
}
