import { meanOf } from '../../stats/index.ts'
import type { ValueRange } from '../reading.ts'
import type { Cell, Cells } from './cells.ts'

/** The possible differences over all values that the missing measurements might have had. */
export interface MissingBounds {
  /** null: it has no bound on this side. */
  readonly low: number | null
  readonly high: number | null
  /** The number of units: all that have a run in an arm, including those that the estimate leaves out. */
  readonly units: number
}

interface Arms {
  readonly control: readonly Cell[]
  readonly candidate: readonly Cell[]
}

/**
 * The difference of a metric with a range if every missing value had been the worst for the candidate, and if every one
 * had been the best: the possible effect of leaving them out (Manski 1990, Am. Econ. Rev. 80:319). Null if none is
 * missing. Values measured without a partner count here, but not in the estimate, which therefore need not lie between
 * the two.
 */
export function differenceWithin(
  control: Cells,
  candidate: Cells,
  isPaired: boolean,
  [least, most]: ValueRange,
): MissingBounds | null {
  const { control: ours, candidate: theirs } = allPlaces(control, candidate, isPaired)
  if (ours.length === 0 || theirs.length === 0 || ![...ours, ...theirs].some(cell => cell.missing > 0)) return null
  return {
    low: finite(meanWith(theirs, least) - meanWith(ours, most)),
    high: finite(meanWith(theirs, most) - meanWith(ours, least)),
    units: new Set([...ours, ...theirs].map(cell => cell.unit)).size,
  }
}

/**
 * All cells with missing values filled in: as bad for the candidate as the range allows, and as good. Null if an open
 * end would have to be filled in. A result shown for both holds for any missing values (Horowitz & Manski 2000, JASA
 * 95:77).
 */
export function extremeCells(
  control: Cells,
  candidate: Cells,
  isPaired: boolean,
  [least, most]: ValueRange,
): { readonly low: Arms | null; readonly high: Arms | null } {
  const places = allPlaces(control, candidate, isPaired)
  const filled = (ours: number, theirs: number): Arms | null => {
    const arms = {
      control: places.control.map(cell => withMissing(cell, ours)),
      candidate: places.candidate.map(cell => withMissing(cell, theirs)),
    }
    return [...arms.control, ...arms.candidate].every(({ values }) => values.every(Number.isFinite)) ? arms : null
  }
  return { low: filled(most, least), high: filled(least, most) }
}

const withMissing = (cell: Cell, value: number): Cell => ({
  ...cell,
  values: [...cell.values, ...Array<number>(cell.missing).fill(value)],
})

function allPlaces(control: Cells, candidate: Cells, isPaired: boolean): Arms {
  const places = (own: Cells, other: Cells): readonly Cell[] =>
    isPaired ? [...new Set([...own.keys(), ...other.keys()])].map(key => placeIn(own, other, key)) : [...own.values()]
  return { control: places(control, candidate), candidate: places(candidate, control) }
}

/** A cell in which only the other arm was run lacks a value too. */
function placeIn(own: Cells, other: Cells, key: string): Cell {
  const found = own.get(key)
  return found ?? { unit: other.get(key)?.unit ?? '', where: '', values: [], runs: [], missing: 1 }
}

function meanWith(cells: readonly Cell[], value: number): number {
  const units = Map.groupBy(cells, cell => cell.unit).values()
  return meanOf([...units].map(own => meanOf(own.map(cell => meanOf(withMissing(cell, value).values)))))
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
