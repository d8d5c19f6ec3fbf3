import type { Cell } from '../../src/report/figures/figures.ts'
import type { JsonObject } from '../../src/util/json.ts'
import { levelText } from '../../src/util/words.ts'

/** A row of the comparison; either side may lack a value. */
export interface DifferenceRow {
  readonly name: string
  readonly a: Cell
  readonly b: Cell
  readonly write: (value: number) => string
}

/** The settings of two runs, name by name. */
export function valueRows(a: JsonObject, b: JsonObject): readonly DifferenceRow[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const cell = (values: JsonObject, name: string): Cell => {
    const value = values[name]
    return value === undefined || value === null ? null : typeof value === 'number' ? value : levelText(value)
  }
  return names.map(name => ({ name, a: cell(a, name), b: cell(b, name), write: levelNumber }))
}

/** As it was written in the experiment; a difference is rounded, to avoid `-0.19999999999999996`. */
const levelNumber = (value: number): string => String(Number(value.toPrecision(12))).replace(/^-/, '−')
