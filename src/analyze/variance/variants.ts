import { type Evidence, type EvidenceRun, levelOf } from '../../plan/evidence.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import type { JsonObject } from '../../util/json.ts'
import { labelOf, levelsOf } from '../arms.ts'

export interface VariantRuns {
  /** null: there is only one. */
  readonly label: string | null
  readonly runs: readonly EvidenceRun[]
}

/** The runs by variant, in the order in which variants were first seen. */
export function variantsIn(evidence: Evidence): readonly VariantRuns[] {
  const varying = evidence.factors.filter(factor => levelsOf(evidence, factor).length > 1)
  const groups = [...groupsBy(evidence.runs, varying).values()]
  // Where each experiment has levels of its own, its name says nothing more.
  const others = varying.filter(factor => factor !== 'experiment')
  const shown = groupsBy(evidence.runs, others).size === groups.length ? others : varying
  return groups.map(runs => {
    const [first] = runs
    return { label: first === undefined || groups.length === 1 ? null : labelOf(levels(first, shown)), runs }
  })
}

const groupsBy = (runs: readonly EvidenceRun[], factors: readonly string[]) =>
  Map.groupBy(runs, run => canonicalJson(levels(run, factors)))

const levels = (run: EvidenceRun, factors: readonly string[]): JsonObject =>
  Object.fromEntries(factors.map(name => [name, levelOf(run, name)]))
