import type { Run } from '../../define/run.ts'
import { canonicalJson } from '../../util/json.ts'
import type { PlanPart } from '../plan-part.ts'
import { blocksOf } from '../runs/blocks.ts'
import { runMaker } from '../runs/plan.ts'
import type { Variant } from '../variants/variant.ts'

/** The runs of each variant in a search: all its blocks and replicates, always in the same order. */
export interface VariantRuns {
  readonly count: number
  at(variant: Variant, index: number): Run
  /** The index of a run among them; −1 if it is not one of them. */
  indexOf(run: Pick<Run, 'block' | 'replicate'>): number
  /** How many variants the search may try; Infinity without a limit. */
  readonly mostVariants: number
}

export function variantRunsOf(experiment: PlanPart): VariantRuns {
  const blocks = blocksOf(experiment)
  const make = runMaker(experiment)
  const { replicates, search } = experiment
  const count = blocks.count * replicates
  const indexes = new Map(Array.from({ length: blocks.count }, (_, block) => [blocks.at(block).json, block]))
  return {
    count,
    at(variant, index) {
      const [block, replicate] = [blocks.at(Math.floor(index / replicates)), (index % replicates) + 1]
      // Variants of a search have no position in a list: they are numbered as they come.
      return make(variant, block, replicate, { variant: 0, run: index + 1 })
    },
    indexOf({ block, replicate }) {
      const at = indexes.get(canonicalJson(block))
      return at === undefined || replicate > replicates ? -1 : at * replicates + replicate - 1
    },
    mostVariants:
      search?.counts === 'variants'
        ? (search.max_runs ?? Number.POSITIVE_INFINITY)
        : Math.floor((search?.max_runs ?? Number.POSITIVE_INFINITY) / count),
  }
}
