import type { PlannerMethod } from '../planner.ts'
import { type Finished, type History, placesOf } from '../search/learn/history.ts'
import { learningPlanner, type Method } from '../search/learn/learner.ts'
import { pointAt } from '../search/space/point.ts'
import type { Point } from '../search/space/space.ts'
import { drawFrom, logDensities, parzenOf } from '../search/tpe/parzen.ts'

/**
 * Tree-structured Parzen estimators: searches where good results are denser than others (J. Bergstra et al. 2011,
 * "Algorithms for hyper-parameter optimization", NIPS), all dimensions together. Fast with thousands of trials. Knows
 * nothing of noise: replicates only help through the mean.
 */
export const tpe: PlannerMethod = {
  method: 'tpe',
  make: (experiment, options) => learningPlanner(method, experiment, options),
}

const method: Method = {
  name: 'tpe',
  initial: () => 10,
  suggest(history, random) {
    const { good, bad } = split(history)
    const { dimensions } = history.space
    const likely = parzenOf(good, dimensions)
    const unlikely = parzenOf(bad, dimensions)
    const candidates = history.rest() ?? drawn(history, () => drawFrom(likely, random))
    if (candidates.length === 0) return null
    const places = candidates.map(point => placesOf(point, history.space))
    const above = logDensities(likely, places)
    const below = logDensities(unlikely, places)
    const scores = above.map((density, index) => density - (below[index] ?? 0))
    const best = scores.indexOf(scores.reduce((one, other) => Math.max(one, other)))
    const point = candidates[best]
    if (point === undefined) return null
    const times = Math.exp(scores[best] ?? 0)
    const why = `${times.toPrecision(2)} times as likely among the best ${good.length} of ${history.finished.length} as among the others`
    return { point, why, memory: null }
  },
}

const candidatesDrawn = 32

function drawn(history: History, draw: () => Float64Array): readonly Point[] {
  const points: Point[] = []
  for (let attempt = 0; attempt < 10 * candidatesDrawn && points.length < candidatesDrawn; attempt++) {
    const point = pointAt(history.space, draw())
    if (point !== null && !history.isKnown(point)) points.push(point)
  }
  return points
}

/**
 * Beyond this, the others are sampled, evenly by rank, so that the ten-thousandth trial costs as much as the
 * thousandth.
 */
const mostOthers = 150

/** The best variants and the rest. Pending variants count as neither good nor new: they go with the rest. */
function split({ finished, pending }: History): {
  readonly good: readonly Float64Array[]
  readonly bad: readonly Float64Array[]
} {
  const ranked = [...finished].sort((a: Finished, b: Finished) => a.value - b.value).map(({ places }) => places)
  const count = Math.min(25, Math.max(2, Math.ceil(0.1 * ranked.length)))
  const others = ranked.slice(count)
  const step = Math.max(1, others.length / mostOthers)
  const sampled = Array.from({ length: Math.ceil(others.length / step) }, (_, at) => others[Math.floor(at * step)])
  return { good: ranked.slice(0, count), bad: [...sampled.filter(places => places !== undefined), ...pending] }
}
