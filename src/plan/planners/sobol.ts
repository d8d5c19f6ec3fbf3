import { mixSeed } from '../../util/random.ts'
import type { PlannerMethod } from '../planner.ts'
import { type Sequence, sequencePlanner } from '../search/sequence.ts'
import { sobolSequence } from '../search/sobol/sobol.ts'
import { pointAt } from '../search/space/point.ts'
import { type Space, spaceOf } from '../search/space/space.ts'
import { followedBy, listedPoints } from './random.ts'

/** Variants spread evenly over the space: better than random draws at the same price if nothing is learned on the way. */
export const sobol: PlannerMethod = {
  method: 'sobol',
  make(experiment, { seed }) {
    const space = spaceOf(experiment)
    const own = mixSeed(experiment.search?.seed ?? seed, 'sobol')
    const spread = spreadPoints(space, own)
    if (space.listed === null) return sequencePlanner(experiment, space, spread)
    return sequencePlanner(experiment, space, followedBy(spread, listedPoints(space, own), space.listed.count))
  },
}

export function spreadPoints(space: Space, seed: number): Sequence {
  const places = sobolSequence(space.dimensions.length, seed)
  return {
    at: index => pointAt(space, places(index)),
    length: Number.POSITIVE_INFINITY,
    why: index => `point ${index + 1} of a Sobol sequence`,
  }
}
