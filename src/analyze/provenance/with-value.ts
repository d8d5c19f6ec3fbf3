import type { EvidenceRun } from '../../plan/evidence.ts'
import { type Reading, readValue } from '../reading.ts'
import type { Exclusion, Gathered } from './provenance.ts'

/** The runs of each arm that have a value, and why the others have none. */
export function withAndWithoutValue(
  arms: Gathered['arms'],
  reading: Reading,
): { readonly arms: Gathered['arms']; readonly excluded: readonly Exclusion[] } {
  return {
    arms: arms.map(({ label, runs }) => ({ label, runs: runs.filter(run => problemOf(run, reading) === null) })),
    excluded: arms.flatMap(({ label, runs }) =>
      runs.flatMap(run => {
        const reason = problemOf(run, reading)
        return reason === null ? [] : [{ arm: label, what: run.name, reason }]
      }),
    ),
  }
}

/** Why a run has no value; null: it has one. */
export function problemOf(run: EvidenceRun, reading: Reading): string | null {
  const read = readValue(run, reading)
  if ('problem' in read) return read.problem
  return Number.isFinite(read.value) ? null : `the value is ${read.value}`
}
