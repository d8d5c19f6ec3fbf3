import type { Json } from '../../../util/json.ts'
import { permutation } from '../../../util/random.ts'
import type { Experiment, Factor } from '../../experiment.ts'
import { type Dimension, dimensionsIn } from './dimensions.ts'

/** The variations of a batch: all combinations of its entries, or a sample of them, drawn by its seed. */
export function designOf(
  value: Json,
  { sample, seed }: { readonly sample?: number | undefined; readonly seed: number },
): Pick<Experiment, 'factors' | 'zip'> {
  const groups = groupsIn(value)
  if (sample !== undefined) return { factors: [], zip: [sampled(groups, sample, seed)] }
  // Factors are crossed before groups, so the last entry varies fastest wherever a group is.
  const tied = groups.findIndex(group => group.length > 1)
  const crossed = tied < 0 ? groups : groups.slice(0, tied)
  return { factors: crossed.flat(), zip: tied < 0 ? [] : groups.slice(tied) }
}

export const combinationsIn = (value: Json): number => combinations(groupsIn(value))

type Group = readonly Factor[]

/** What each entry varies: one factor, or several together. */
function groupsIn(value: Json): readonly Group[] {
  const byEntry = Map.groupBy(dimensionsIn(value), ({ entry }) => entry)
  return [...byEntry.values()].map(own => own.flatMap(factorOf))
}

const factorOf = ({ factor, levels }: Dimension): readonly Factor[] =>
  factor === null ? [] : [{ name: factor, levels, when: null }]

const rowsOf = (group: Group): number => group[0]?.levels.length ?? 1

const combinations = (groups: readonly Group[]): number => groups.reduce((product, one) => product * rowsOf(one), 1)

/** The first combinations of a random order: a larger sample contains a smaller one, under the same numbers. */
function sampled(groups: readonly Group[], sample: number, seed: number): Group {
  const nth = permutation(combinations(groups), seed)
  const cells = Array.from({ length: sample }, (_, position) => cellAt(groups, nth(position)))
  return groups.flatMap((group, at) =>
    group.map(factor => ({ ...factor, levels: cells.map(cell => factor.levels[cell[at] ?? 0] ?? null) })),
  )
}

/** The row of each group in a combination, where the last group varies fastest. */
function cellAt(groups: readonly Group[], combination: number): readonly number[] {
  let rest = combination
  return groups
    .map(rowsOf)
    .toReversed()
    .map(rows => {
      const row = rest % rows
      rest = Math.floor(rest / rows)
      return row
    })
    .toReversed()
}
