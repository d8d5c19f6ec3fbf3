import type { Evidence, Observation } from '../../define/observation.ts'
import { type CrossedCell, meanOf } from '../../stats/index.ts'
import { cellsOfValues } from '../units/crossing.ts'
import { unitsOf } from '../units/units.ts'

/** The runs of one variant by their independent units, as in comparisons: runs of one task are similar. */
export interface ClusteredRuns {
  /** `run` if every run counts for itself. */
  readonly unit: string
  /** In the order of their first runs. */
  readonly units: readonly string[]
  /** The unit of each run. */
  readonly unitOf: readonly string[]
  /** The other blocks, whose levels may recur from unit to unit, with the level of each run. */
  readonly inside: readonly { readonly block: string; readonly levels: readonly string[] }[]
}

export function clusteredRuns(evidence: Evidence, runs: readonly Observation[]): ClusteredRuns {
  const found = unitsOf({ ...evidence, runs })
  const unitOf = found.ofAll(runs)
  const units = [...new Set(unitOf)]
  const levels = found.insideAll(runs)
  // Where each has one run, a run is a unit, whatever it is called.
  return units.length === runs.length
    ? { unit: 'run', units, unitOf, inside: [] }
    : {
        unit: found.name,
        units,
        unitOf,
        inside: found.inside.map((block, at) => ({ block, levels: levels[at] ?? [] })),
      }
}

/** One statistic of these runs, by unit. */
export interface ClusteredValues {
  /** Each unit counts once: the mean of its runs. */
  readonly means: readonly number[]
  readonly lists: readonly (readonly number[])[]
  /** Where units meet the levels of blocks that recur: the same seeds in every task. */
  readonly crossed: readonly Recurring[]
}

interface Recurring {
  readonly block: string
  readonly cells: readonly CrossedCell[]
}

export function clusteredValues({ units, unitOf, inside }: ClusteredRuns, values: readonly number[]): ClusteredValues {
  const groups = Map.groupBy(values.keys(), at => unitOf[at] ?? '')
  const lists = units.map(unit => (groups.get(unit) ?? []).map(at => values[at] ?? Number.NaN))
  return {
    means: lists.map(meanOf),
    lists,
    crossed: inside.flatMap(({ block, levels }) => {
      const cells = cellsOfValues(values, unitOf, levels)
      return cells === null ? [] : [{ block, cells }]
    }),
  }
}
