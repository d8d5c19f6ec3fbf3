import { branchOf, type Observation } from '../../define/observation.ts'
import { counted } from '../../util/words.ts'

type Runs = readonly Pick<Observation, 'params'>[]

/**
 * Notes on a comparison of branches of scenarios: which runs share turns, how they are paired, and for which histories
 * the result holds. Otherwise such a comparison is like any other.
 */
export function branchWarnings(
  control: Runs,
  candidate: Runs,
  pairedBy: readonly string[] | null | undefined,
): readonly string[] {
  const all = [...control, ...candidate]
  const trunks = [...new Set(all.flatMap(run => branchOf(run) ?? []))]
  const [first] = trunks
  if (first === undefined) return []
  const mixed = mixedText(control, candidate, pairedBy ?? [])
  if (trunks.length === 1)
    return [
      ...mixed,
      `all branches go on from ${first}, so they differ only after that turn, and the result holds for that history: branch from several runs, and pair by branch_from, to say more`,
    ]
  return [
    ...mixed,
    pairedBy?.includes('branch_from') === true
      ? 'runs are paired by branch_from: those of a pair have the turns of the same run in common, and their events come from the same seed'
      : `these are branches of ${counted(trunks.length, 'history')}: --pair-by branch_from compares those that have the same turns in common`,
  ]
}

/** Full runs and branches in one comparison, in the same arm or one against the other. */
function mixedText(control: Runs, candidate: Runs, pairedBy: readonly string[]): readonly string[] {
  const [ours, theirs] = [control, candidate].map(runs => runs.filter(run => branchOf(run) !== null).length)
  const branches = (ours ?? 0) + (theirs ?? 0)
  const others = control.length + candidate.length - branches
  if (others === 0) return []
  const counts = `${counted(branches, 'run')} ${branches === 1 ? 'is a branch' : 'are branches'} and ${others} began at the beginning`
  const isAgainst = (ours === 0 || theirs === 0) && !pairedBy.includes('branch_from')
  if (!isAgainst)
    return [
      `${counts}, all in one result: --filter 'branch_from=RUN:TURN' looks at branches alone, and branch_from=null at the others`,
    ]
  return [
    `${counts}: only runs that go on from the same turn of the same run have its turns in common${pairedBy.includes('seed') ? ', and branches draw their events from the seed of their trunk, so that pairs by seed are none: --unpaired' : ''}`,
  ]
}
