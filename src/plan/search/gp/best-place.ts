import type { Random } from '../../../util/random.ts'
import { type Finished, type History, placesOf } from '../learn/history.ts'
import { pointAt } from '../space/point.ts'
import type { Point } from '../space/space.ts'
import { gaussian } from '../tpe/parzen.ts'

/** An untried variant, and how promising it is. */
export interface Place {
  readonly point: Point
  readonly places: Float64Array
  readonly score: number
}

type Score = (places: Float64Array) => number

/**
 * The variant with the highest score. If the untried ones can be listed, all are scored; otherwise many at random and
 * around the best known ones, then hill climbing in ever smaller steps from the most promising.
 */
export function bestPlace(history: History, score: Score, random: Random): Place | null {
  const rest = history.rest()
  if (rest !== null) return highest(rest.map(point => scored(history, point, score)))
  const candidates = [...anywhere(history, random), ...aroundBest(history, random)]
    .map(point => scored(history, point, score))
    .sort((a, b) => b.score - a.score)
  const climbed = candidates.slice(0, climbs).map(from => climb(history, from, score))
  return highest([...climbed, ...candidates.slice(0, 20)].filter(({ point }) => !history.isKnown(point)))
}

/** With many trials, each evaluation takes longer, and fewer are needed. */
const looks = ({ finished }: History): number => (finished.length > 150 ? 300 : 600)
const climbs = 4

function scored({ space }: History, point: Point, score: Score): Place {
  const places = placesOf(point, space)
  return { point, places, score: score(places) }
}

const highest = (places: readonly Place[]): Place | null =>
  places.reduce<Place | null>((best, one) => (best === null || one.score > best.score ? one : best), null)

function* anywhere(history: History, random: Random): Generator<Point> {
  const { space } = history
  for (let look = looks(history); look > 0; look--) {
    const point = pointAt(
      space,
      Float64Array.from(space.dimensions, () => random.next()),
    )
    if (point !== null) yield point
  }
}

const around = [0.2, 0.05, 0.01]
const copies = 12

function* aroundBest({ space, finished }: History, random: Random): Generator<Point> {
  const best = finished.toSorted((a: Finished, b: Finished) => a.value - b.value).slice(0, 4)
  for (const { places } of best)
    for (const width of around)
      for (let copy = 0; copy < copies; copy++) {
        const moved = places.map((place, index) => {
          const { isOrdered } = space.dimensions[index] ?? { isOrdered: true }
          if (Number.isNaN(place) || (!isOrdered && random.next() < 0.2)) return random.next()
          return isOrdered ? clipped(place + width * gaussian(random)) : place
        })
        const point = pointAt(space, moved)
        if (point !== null) yield point
      }
}

const clipped = (place: number): number => Math.min(1, Math.max(0, place))

/** Along one dimension at a time, with steps that are halved when none improves the score. */
function climb(history: History, from: Place, score: Score): Place {
  const { dimensions } = history.space
  let here = from
  for (let step = 0.1; step > smallestStep; ) {
    const before = here.score
    dimensions.forEach(({ isOrdered, size }, index) => {
      if (size === 1 || Number.isNaN(here.places[index])) return
      const at = here.places[index] ?? 0
      const others = isOrdered
        ? [at - step, at + step]
        : Array.from({ length: size }, (_, level) => (level + 0.5) / size)
      for (const place of others) {
        const moved = moveTo(history, here, index, clipped(place), score)
        if (moved !== null && moved.score > here.score) here = moved
      }
    })
    if (here.score <= before + 1e-6) step /= 3
  }
  return here
}

const smallestStep = 5e-4

function moveTo(history: History, here: Place, index: number, place: number, score: Score): Place | null {
  // A dimension that did not apply may apply after the move: then it starts at its middle.
  const moved = here.places.map((value, at) => (at === index ? place : Number.isNaN(value) ? 0.5 : value))
  const point = pointAt(history.space, moved)
  return point === null ? null : scored(history, point, score)
}
