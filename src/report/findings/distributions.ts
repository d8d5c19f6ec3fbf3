import { armOf, labelOf } from '../../analyze/arms.ts'
import { readValue } from '../../analyze/reading.ts'
import { variantsOf } from '../../analyze/variants.ts'
import type { EvidenceRun } from '../../plan/evidence.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { idOf, lookedAt } from './looked-at.ts'
import { armsBy, type View } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

/** Every run's number, arm by arm. */
export interface Distributions {
  readonly metric: string
  readonly rows: readonly DistributionRow[]
}

export interface DistributionRow {
  readonly label: string
  readonly isBaseline: boolean
  readonly values: readonly number[]
  /** The run behind each value. */
  readonly runs: readonly string[]
  /** Runs without a value. */
  readonly missing: number
}

export function distributionsOf(dataset: Dataset, view: View): OrReason<Distributions> {
  return orReason(() => {
    const { evidence, reading } = lookedAt(dataset, view)
    const rowOf = (label: string, isBaseline: boolean, runs: readonly EvidenceRun[]): DistributionRow => {
      const read = runs.map(run => ({ id: idOf(run), found: readValue(run, reading) }))
      const known = read.flatMap(({ id, found }) =>
        'value' in found && Number.isFinite(found.value) ? [{ id, value: found.value }] : [],
      )
      return {
        label,
        isBaseline,
        values: known.map(({ value }) => value),
        runs: known.map(({ id }) => id),
        missing: runs.length - known.length,
      }
    }
    const rows =
      view.group.length === 0
        ? variantsOf(evidence).map(({ label, runs }) => rowOf(label, false, runs))
        : armsBy(evidence, view.group).map(levels =>
            rowOf(labelOf(levels), labelOf(levels) === labelOf(view.baseline), armOf(evidence, levels).runs),
          )
    return { metric: reading.metric, rows }
  })
}
