import { mixSeed, permutation, seededRandom } from '../../util/random.ts'
import type { PlannerMethod } from '../planner.ts'
import { type Sequence, sequencePlanner } from '../search/sequence.ts'
import { randomPoint } from '../search/space/point.ts'
import { type Space, spaceOf } from '../search/space/space.ts'

/** Variants at random, none of them twice. If they can be listed, each is equally likely to be next. */
export const random: PlannerMethod = {
  method: 'random',
  make(experiment, { seed }) {
    const space = spaceOf(experiment)
    const isWeighted = experiment.factors.some(({ probabilities }) => probabilities !== undefined)
    const own = mixSeed(experiment.search?.seed ?? seed, 'random')
    const drawn = drawnPoints(space, own)
    if (space.listed === null) return sequencePlanner(experiment, space, drawn)
    const listed = listedPoints(space, own)
    return sequencePlanner(experiment, space, isWeighted ? followedBy(drawn, listed, space.listed.count) : listed)
  },
}

function drawnPoints(space: Space, seed: number): Sequence {
  return {
    at: index => randomPoint(space, seededRandom(mixSeed(seed, index))),
    length: Number.POSITIVE_INFINITY,
    why: () => 'drawn at random',
  }
}

/** All variants of a space in a random order. */
export function listedPoints(space: Space, seed: number): Sequence {
  const { listed } = space
  const length = listed?.count ?? 0
  const order = permutation(length, seed)
  return {
    at: index => (listed === null ? null : space.pointOf(listed.at(order(index)))),
    length,
    why: () => `drawn at random of ${length}`,
  }
}

/** First so many draws per variant; the missed variants come after them, so that none is left out. */
export function followedBy(first: Sequence, rest: Sequence, variants: number): Sequence {
  const turn = 4 * variants
  return {
    at: index => (index < turn ? first.at(index) : rest.at(index - turn)),
    length: turn + rest.length,
    why: index => (index < turn ? first.why(index) : rest.why(index - turn)),
  }
}
