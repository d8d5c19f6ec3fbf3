import type { Experiment } from '../define/experiment.ts'
import type { Run } from '../define/run.ts'
import { sha256 } from '../util/hash.ts'
import { canonicalJson } from '../util/json.ts'
import type { Planner } from './planner.ts'

/** Whether a search counts variants, each over all its blocks and replicates, instead of runs. */
export const countsVariants = ({ search }: Pick<Experiment, 'search'>): boolean => search?.counts === 'variants'

/** The runs of one trial: a variant in all its blocks and replicates. */
export const trialSize = ({ blocks, replicates }: Pick<Experiment, 'blocks' | 'replicates'>): number =>
  blocks.reduce((product, { levels }) => product * levels.length, replicates)

/** Names a run's trial: what its variant is, without block and replicate. The same of a run and of its record. */
export function trialOf({
  params,
  ablation,
  flags,
  block,
}: Pick<Run, 'params' | 'ablation' | 'flags' | 'block'>): string {
  // A record has the ablation among its parameters and no blocks there; a run of some dialects has it the other way round.
  const own = Object.entries(params).filter(
    ([name, value]) => !(name in block) && !(name === 'ablation' && value === ablation),
  )
  return sha256(canonicalJson({ params: Object.fromEntries(own), ablation, flags: [...flags] })).slice(0, 16)
}

/** Any planner, but its proposals say which trial they are part of. */
export const inTrials = (inner: Planner): Planner => ({
  ...inner,
  ask(state, wanted) {
    const answer = inner.ask(state, wanted)
    if (typeof answer === 'string') return answer
    return { ...answer, runs: answer.runs.map(proposal => ({ ...proposal, trial: trialOf(proposal.run) })) }
  },
})
