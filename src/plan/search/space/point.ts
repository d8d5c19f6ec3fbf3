import type { Random } from '../../../util/random.ts'
import type { Point, Space } from './space.ts'

export const pointKey = (point: Point): string => point.join('|')

export function samePoint(one: Point, other: Point): boolean {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}

/** The canonical point at a place of the unit cube; null if a constraint forbids it. */
export const pointAt = (space: Space, places: ArrayLike<number>): Point | null =>
  space.canonical(space.dimensions.map((dimension, index) => dimension.coordinateAt(places[index] ?? 0)))

export const randomPoint = (space: Space, random: Random): Point | null =>
  pointAt(
    space,
    Float64Array.from(space.dimensions, () => random.next()),
  )
