import type { Observation } from '../../define/observation.ts'
import { meanOf } from '../../stats/index.ts'
import { passOf, type Statistic } from '../statistic.ts'
import type { Cell } from './cells.ts'
import { byUnitName } from './unit-order.ts'

/** The number of each independent unit, with its runs; sorted, regardless of the order of the runs. */
export interface UnitValues {
  readonly units: readonly string[]
  /** null if the unit has too few runs for the statistic. */
  readonly values: readonly (number | null)[]
  readonly runs: readonly (readonly Observation[])[]
  /** The values of its runs. */
  readonly lists: readonly (readonly number[])[]
}

/**
 * Each unit counts once, regardless of its size: the mean of the means of its cells, or the statistic over all its
 * runs.
 */
export function unitValues(cells: readonly Cell[], statistic: Statistic): UnitValues {
  const byUnit = Map.groupBy(cells, cell => cell.unit)
  const units = [...byUnit.keys()].sort(byUnitName)
  const own = units.map(unit => byUnit.get(unit) ?? [])
  return {
    units,
    values: own.map(group => valueOfUnit(group, statistic)),
    runs: own.map(group => group.flatMap(cell => cell.runs)),
    lists: own.map(group => group.flatMap(cell => cell.values)),
  }
}

const valueOfUnit = (group: readonly Cell[], statistic: Statistic): number | null =>
  'k' in statistic
    ? passOf(
        group.flatMap(cell => cell.values),
        statistic,
      )
    : meanOf(group.map(cell => meanOf(cell.values)))

export interface KnownValues {
  readonly units: readonly string[]
  readonly values: readonly number[]
  readonly runs: UnitValues['runs']
  readonly lists: UnitValues['lists']
}

/** Only the units for which all of these have a number, and the names of the others. */
export function whereAllAreKnown(all: readonly UnitValues[]): {
  readonly known: readonly KnownValues[]
  readonly unknown: readonly string[]
} {
  const [first] = all
  const isKnown = (_: unknown, at: number): boolean => all.every(({ values }) => values[at] !== null)
  return {
    known: all.map(({ units, values, runs, lists }) => ({
      units: units.filter(isKnown),
      values: values.filter(isKnown).map(value => value ?? Number.NaN),
      runs: runs.filter(isKnown),
      lists: lists.filter(isKnown),
    })),
    unknown: first?.units.filter((_, at) => !isKnown(_, at)) ?? [],
  }
}
