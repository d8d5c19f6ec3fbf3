import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { mixSeed } from '../../util/random.ts'
import { joinSlugs, slugOf } from '../../util/words.ts'
import type { PlanPart } from '../plan-part.ts'
import { remembering } from '../remembering.ts'

/**
 * All blocks of an experiment in listed order, each available by its index. Without blocks there is one, which is
 * empty.
 */
export interface Blocks {
  readonly count: number
  at(index: number): BlockFacts
}

/** A block with the data that every run needs from it. */
export interface BlockFacts {
  readonly block: JsonObject
  readonly json: string
  readonly slug: string
  /** The random seed of a run follows from block and replicate, never from the variant: pairing depends on that. */
  seed(replicate: number): number
}

export function blocksOf(experiment: PlanPart): Blocks {
  const { blocks } = experiment
  const count = blocks.reduce((product, { levels }) => product * levels.length, 1)
  const at = (index: number): BlockFacts => {
    let rest = index
    const levels: [string, Json][] = []
    for (const { name, levels: all } of blocks.toReversed()) {
      levels.unshift([name, all[rest % all.length] ?? null])
      rest = Math.floor(rest / all.length)
    }
    return factsOf(Object.fromEntries(levels), experiment)
  }
  return { count, at: remembering(count, at) }
}

function factsOf(block: JsonObject, { seed: experimentSeed, replicates }: PlanPart): BlockFacts {
  const json = canonicalJson(block)
  const own = block.seed
  return {
    block,
    json,
    slug: joinSlugs(...Object.entries(block).map(([name, level]) => slugOf(`${name}-${slugOf(level)}`))),
    seed: remembering(replicates + 1, replicate => {
      if (typeof own !== 'number' || !Number.isInteger(own)) return mixSeed(experimentSeed, json, replicate)
      return replicate === 1 ? own : mixSeed(own, replicate)
    }),
  }
}
