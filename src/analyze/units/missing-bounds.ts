import { meanOf } from '../../stats/index.ts'
import type { Cell, Cells } from './cell.ts'

/** Where a difference would be, whatever had been measured where nothing was. */
export interface MissingBounds {
  readonly low: number
  readonly high: number
  /** So many units: all of which an arm has a run, those included that the estimate leaves out. */
  readonly units: number
}

/**
 * The difference of a yes-or-no metric if every missing value had been the worst for the candidate, and if every one had been
 * the best: what leaving them out may have hidden (Manski 1990, Am. Econ. Rev. 80:319). Null where none is missing.
 * What was measured without a partner counts here, and does not in the estimate, which need not lie between the two.
 */
export function differenceWithin(control: Cells, candidate: Cells, isPaired: boolean): MissingBounds | null {
  const places = (own: Cells, other: Cells): readonly Cell[] =>
    isPaired ? [...new Set([...own.keys(), ...other.keys()])].map(key => placeIn(own, other, key)) : [...own.values()]
  const ours = places(control, candidate)
  const theirs = places(candidate, control)
  if (ours.length === 0 || theirs.length === 0 || ![...ours, ...theirs].some(cell => cell.missing > 0)) return null
  return {
    low: shareWith(theirs, 0) - shareWith(ours, 1),
    high: shareWith(theirs, 1) - shareWith(ours, 0),
    units: new Set([...ours, ...theirs].map(cell => cell.unit)).size,
  }
}

/** A place where only the other arm was run lacks a value too. */
function placeIn(own: Cells, other: Cells, key: string): Cell {
  const found = own.get(key)
  return found ?? { unit: other.get(key)?.unit ?? '', where: '', values: [], runs: [], missing: 1 }
}

function shareWith(cells: readonly Cell[], value: 0 | 1): number {
  const units = Map.groupBy(cells, cell => cell.unit).values()
  return meanOf([...units].map(own => meanOf(own.map(cell => meanWith(cell, value)))))
}

const meanWith = ({ values, missing }: Cell, value: number): number =>
  (values.reduce((sum, one) => sum + one, 0) + missing * value) / (values.length + missing)
