import type { SearchSpec } from '../../../define/experiment.ts'
import type { Result } from '../../planner.ts'
import { pointKey, samePoint } from '../space/point.ts'
import type { Point, Space } from '../space/space.ts'
import type { Loss } from './loss.ts'
import type { Trial } from './trials.ts'

/** What is known about a variant whose runs have ended. */
export interface Finished {
  readonly point: Point
  /** In the unit cube; NaN where a dimension does not apply. */
  readonly places: Float64Array
  /** The mean over its runs; smaller is better, whatever the goal. */
  readonly value: number
  /** The variance of that mean; 0 if a single run can't show it. */
  readonly variance: number
}

/** What a method uses to choose the next variant. */
export interface History {
  readonly space: Space
  readonly finished: readonly Finished[]
  /** Variants whose results are not known yet. */
  readonly pending: readonly Float64Array[]
  isKnown(point: Point): boolean
  /** Every untried variant, if they can be listed and are few; otherwise null. */
  rest(): readonly Point[] | null
}

export function historyOf(trials: readonly Trial[], space: Space, search: SearchSpec, loss: Loss): History {
  const losses = trials.map(({ results }) => results.map(result => (isKnown(result) ? loss(result) : result)))
  const imputed = imputedLoss(
    losses.flat().filter(result => typeof result === 'number'),
    search,
  )
  const finished: Finished[] = []
  const pending: Float64Array[] = []
  for (const [index, trial] of trials.entries()) {
    const places = placesOf(trial.point, space)
    if (trial.results.includes(null)) {
      pending.push(places)
      continue
    }
    const known = (losses[index] ?? []).flatMap(result =>
      typeof result === 'number' ? [result] : imputed === null || result === 'dropped' ? [] : [imputed],
    )
    if (known.length > 0) finished.push({ point: trial.point, places, ...meanOf(known) })
  }
  return {
    space,
    finished,
    pending,
    isKnown: point => trials.some(trial => samePoint(trial.point, point)),
    rest: () => restOf(space, trials),
  }
}

const isKnown = (result: Trial['results'][number]): result is Result =>
  result !== null && result !== 'failed' && result !== 'dropped'

/** The value assigned to a failed run that has none. */
function imputedLoss(losses: readonly number[], { impute }: SearchSpec): number | null {
  if (impute === 'skip' || losses.length === 0) return null
  return losses.reduce((one, other) => (impute === 'best' ? Math.min(one, other) : Math.max(one, other)))
}

function meanOf(losses: readonly number[]): { readonly value: number; readonly variance: number } {
  const count = losses.length
  const mean = losses.reduce((sum, value) => sum + value, 0) / count
  const squares = losses.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { value: mean, variance: count < 2 ? 0 : squares / (count - 1) / count }
}

/** If there are more than these, only some are scored. */
const fewVariants = 3000

const listedPoints = new WeakMap<Space, readonly Point[]>()

function restOf(space: Space, trials: readonly Trial[]): readonly Point[] | null {
  const { listed } = space
  if (listed === null || listed.count - trials.length > fewVariants || listed.count > 20 * fewVariants) return null
  const all = listedPoints.get(space) ?? pointsIn(space, listed)
  listedPoints.set(space, all)
  const known = new Set(trials.map(({ point }) => pointKey(point)))
  return all.filter(point => !known.has(pointKey(point)))
}

const pointsIn = (space: Space, listed: NonNullable<Space['listed']>): readonly Point[] =>
  Array.from({ length: listed.count }, (_, index) => space.pointOf(listed.at(index))).filter(point => point !== null)

const knownPlaces = new WeakMap<Point, Float64Array>()

/** Computed once for each point: a search of a thousand trials asks for them a thousand times. */
export function placesOf(point: Point, { dimensions }: Space): Float64Array {
  const known = knownPlaces.get(point)
  if (known !== undefined) return known
  const places = Float64Array.from(point, (coordinate, index) =>
    coordinate === null ? Number.NaN : (dimensions[index]?.placeOf(coordinate) ?? 0),
  )
  knownPlaces.set(point, places)
  return places
}
