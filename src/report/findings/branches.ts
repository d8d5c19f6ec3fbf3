import type { Comparison } from '../../analyze/compare/comparison.ts'
import type { Observation } from '../../define/observation.ts'
import { counted } from '../../util/words.ts'
import { type Defined, isOfScenario } from './step-name.ts'

/**
 * What a reader must know of a comparison of branches: which runs have turns in common, what pairs them, and for which
 * histories the result holds. A comparison of branches is otherwise one like any other.
 */
export function branchWarnings(
  {
    experiments,
    evidence,
  }: {
    readonly experiments: readonly Defined[]
    readonly evidence: { readonly runs: readonly Pick<Observation, 'params'>[] }
  },
  about: { readonly pairing: Pick<NonNullable<Comparison['pairing']>, 'by'> | null } | null,
): readonly string[] {
  if (about === null || !experiments.some(isOfScenario)) return []
  const trunks = [...new Set(evidence.runs.flatMap(run => trunkOf(run) ?? []))]
  const [first] = trunks
  if (first === undefined) return []
  const others = evidence.runs.filter(run => trunkOf(run) === null).length
  const mixed =
    others === 0
      ? []
      : [
          `${counted(evidence.runs.length - others, 'run')} ${evidence.runs.length - others === 1 ? 'is a branch' : 'are branches'} and ${others} began at the beginning: only runs that go on from the same turn of the same run have its turns in common`,
        ]
  if (trunks.length === 1)
    return [
      ...mixed,
      `all branches go on from ${first}, so they differ only after that turn, and the result holds for that history: branch from several runs, and pair by branch_from, to say more`,
    ]
  return [
    ...mixed,
    about.pairing?.by.includes('branch_from') === true
      ? 'runs are paired by branch_from: those of a pair have the turns of the same run in common, and their events come from the same seed'
      : `these are branches of ${counted(trunks.length, 'history')}: --pair-by branch_from compares those that have the same turns in common`,
  ]
}

/** `RUN:TURN`; null: it began at the beginning. */
function trunkOf({ params }: Pick<Observation, 'params'>): string | null {
  const { branch_from: written } = params
  return typeof written === 'string' && /:\d+$/.test(written) ? written : null
}
