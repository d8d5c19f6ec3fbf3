import type { Observation } from '../../define/observation.ts'
import { meanOf } from '../../stats/index.ts'
import { passOf, type Statistic } from '../statistic.ts'
import type { Cell } from './cells.ts'
import { byUnitName } from './unit-order.ts'

/** Each independent unit's number, with what is behind it; sorted, whatever order the runs came in. */
export interface UnitValues {
  readonly units: readonly string[]
  /** null where the unit's runs are too few for what is asked. */
  readonly values: readonly (number | null)[]
  readonly runs: readonly (readonly Observation[])[]
  /** The values of its runs. */
  readonly lists: readonly (readonly number[])[]
}

/** Each unit counts once, whatever it holds: the mean of the means of its cells, or what all its runs together say. */
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

/** Only the places that all of these have a number for, and the names of the others. */
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
