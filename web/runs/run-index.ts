import type { RunRecord } from '../../src/define/observation.ts'
import type { Dataset, RunFolder } from '../../src/report/dataset/dataset.ts'
import { idOf } from '../../src/report/findings/view.ts'

/** A run with all of the report's data about it. */
export interface KnownRun {
  readonly id: string
  readonly run: RunRecord
  readonly folder: RunFolder
}

const indexes = new WeakMap<Dataset, ReadonlyMap<string, KnownRun>>()

/** The run with this id. */
export const runById = (dataset: Dataset, id: string): KnownRun | undefined => runsOf(dataset).get(id)

/** All of them by id, in the order in which they were planned. */
export function runsOf(dataset: Dataset): ReadonlyMap<string, KnownRun> {
  const known = indexes.get(dataset) ?? indexOf(dataset)
  indexes.set(dataset, known)
  return known
}

function indexOf({ evidence, folders }: Dataset): ReadonlyMap<string, KnownRun> {
  const all = evidence.runs.flatMap((run, at): readonly (readonly [string, KnownRun])[] => {
    const folder = folders[at]
    return folder === undefined ? [] : [[idOf(run), { id: idOf(run), run, folder }]]
  })
  return new Map(all)
}
