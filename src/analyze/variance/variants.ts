import { type Evidence, type EvidenceRun, levelOf } from '../../plan/evidence.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import type { JsonObject } from '../../util/json.ts'
import { labelOf } from '../arms.ts'
import { levelKey, levelsOf, placesOf } from '../levels.ts'

export interface VariantRuns {
  /** null: there is only one. */
  readonly label: string | null
  readonly runs: readonly EvidenceRun[]
}

/** The runs by variant, in the order in which their levels were written: runs themselves come in any order. */
export function variantsIn(evidence: Evidence): readonly VariantRuns[] {
  const varying = evidence.factors.filter(factor => levelsOf(evidence, factor).length > 1)
  const groups = inWrittenOrder(evidence, varying, [...groupsBy(evidence.runs, varying).values()])
  // Where each experiment has levels of its own, its name says nothing more.
  const others = varying.filter(factor => factor !== 'experiment')
  const shown = groupsBy(evidence.runs, others).size === groups.length ? others : varying
  return groups.map(runs => {
    const [first] = runs
    return { label: first === undefined || groups.length === 1 ? null : labelOf(levels(first, shown)), runs }
  })
}

type Group = readonly EvidenceRun[]

/** By the first factor, then by the second, and so on. */
function inWrittenOrder(evidence: Evidence, factors: readonly string[], groups: readonly Group[]): readonly Group[] {
  const written = factors.map(factor => ({ factor, places: placesOf(levelsOf(evidence, factor)) }))
  const placed = groups.map(runs => ({
    runs,
    place: written.map(({ factor, places }) =>
      runs[0] === undefined ? -1 : (places.get(levelKey(levelOf(runs[0], factor))) ?? -1),
    ),
  }))
  return placed.toSorted((a, b) => firstDifference(a.place, b.place)).map(({ runs }) => runs)
}

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((place, at) => place - (b[at] ?? 0)).find(difference => difference !== 0) ?? 0

const groupsBy = (runs: readonly EvidenceRun[], factors: readonly string[]) =>
  Map.groupBy(runs, run => canonicalJson(levels(run, factors)))

const levels = (run: EvidenceRun, factors: readonly string[]): JsonObject =>
  Object.fromEntries(factors.map(name => [name, levelOf(run, name)]))
