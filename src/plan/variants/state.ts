import type { Json } from '../../util/json.ts'
import { type Column, weightOf } from './axis.ts'
import type { Grid } from './grids.ts'
import type { Rules } from './rules.ts'

/** What is known of the variant so far, while the cells of a grid are enumerated. */
export interface State {
  readonly grid: Grid
  readonly rules: Rules
  readonly cell: Uint32Array
  readonly scope: { [name: string]: Json }
  /** The present factors that the ablation does not set: those whose level makes a difference. */
  readonly significant: Set<string>
}

/** The columns of an axis whose level makes a difference, as a sum of {@link weightOf}. */
export function significantColumns(columns: readonly Column[], { significant }: State): number {
  let sum = 0
  for (let column = 0; column < columns.length; column++)
    if (significant.has(columns[column]?.name ?? '')) sum += weightOf(column)
  return sum
}
