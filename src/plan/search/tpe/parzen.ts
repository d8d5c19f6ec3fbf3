import type { Random } from '../../../util/random.ts'
import type { Dimension } from '../space/dimension.ts'

/**
 * A density over the unit cube with one bump per point, and a flat part, so that every place stays possible. A bump is
 * a product over dimensions, which keeps values together that belong together (S. Falkner et al. 2018, "BOHB", ICML;
 * "multivariate"). Numbers get a Gaussian, truncated at 0 and 1; choices keep their level with most of the probability
 * (J. Aitchison and C. Aitken 1976, Biometrika 63:413).
 */
export interface Parzen {
  readonly points: readonly Float64Array[]
  /** By dimension: the standard deviation of a number, the share of other levels for a choice. */
  readonly widths: Float64Array
  readonly dimensions: readonly Dimension[]
}

export function parzenOf(points: readonly Float64Array[], dimensions: readonly Dimension[]): Parzen {
  const shrink = Math.max(1, points.length) ** (-1 / (dimensions.length + 4))
  const widths = Float64Array.from(dimensions, ({ isOrdered, size }, index) =>
    isOrdered ? numberWidth(points, index, shrink) : (otherShare * (size - 1)) / (size - 1 + points.length / 2),
  )
  return { points, widths, dimensions }
}

const otherShare = 0.8
const widest = 0.35
const narrowest = 0.02
/** Scott's rule is for one peak; good results usually lie on several. */
const narrower = 0.6

/** Scott's rule (D. W. Scott 1992, "Multivariate density estimation"), within limits: few points must not look certain. */
function numberWidth(points: readonly Float64Array[], dimension: number, shrink: number): number {
  let [count, sum, squares] = [0, 0, 0]
  for (const point of points) {
    const place = point[dimension] ?? Number.NaN
    if (Number.isNaN(place)) continue
    count++
    sum += place
    squares += place * place
  }
  const deviation = count < 2 ? widest : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
  return Math.min(widest, Math.max(narrowest, 0.1 * shrink, narrower * deviation * shrink))
}

/** A random place from the density. */
export function drawFrom({ points, widths, dimensions }: Parzen, random: Random): Float64Array {
  const centre = points[random.integer(0, points.length)]
  return Float64Array.from(dimensions, ({ isOrdered }, index) => {
    const at = centre?.[index] ?? Number.NaN
    const width = widths[index] ?? 1
    if (Number.isNaN(at)) return random.next()
    if (!isOrdered) return random.next() < width ? random.next() : at
    for (let attempt = 0; attempt < 20; attempt++) {
      const place = at + width * gaussian(random)
      if (place >= 0 && place <= 1) return place
    }
    return at
  })
}

/** The logarithm of the density at some places. Every bump is evaluated once for all of them. */
export function logDensities({ points, widths, dimensions }: Parzen, places: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(places.length).fill(1)
  const inverse = Float64Array.from(widths, width => 1 / width)
  const size = dimensions.length
  const ordered = dimensions.map(({ isOrdered }) => isOrdered)
  const same = Float64Array.from(dimensions, (dimension, index) => 1 - (widths[index] ?? 0) * (1 - 1 / dimension.size))
  for (const centre of points) {
    let height = 1
    for (let index = 0; index < size; index++) {
      const at = centre[index] ?? 0
      if (ordered[index] && !Number.isNaN(at)) height *= (inverse[index] ?? 1) / massBetween(at, inverse[index] ?? 1)
    }
    for (let which = 0; which < places.length; which++) {
      const place = places[which]
      let squares = 0
      let factor = height
      for (let index = 0; index < size; index++) {
        const from = centre[index] ?? 0
        const to = place?.[index] ?? 0
        // If one of them lacks the dimension, it says nothing about the other.
        if (Number.isNaN(from) || Number.isNaN(to)) continue
        if (ordered[index]) {
          const distance = (to - from) * (inverse[index] ?? 1)
          squares += distance * distance
        } else {
          const levels = dimensions[index]?.size ?? 1
          factor *= (to === from ? (same[index] ?? 1) : (widths[index] ?? 0) / levels) * levels
        }
      }
      sums[which] = (sums[which] ?? 0) + factor * Math.exp(-0.5 * squares)
    }
  }
  return sums.map(sum => Math.log(sum / (points.length + 1)))
}

/** √(2π) times the share of a Gaussian that lies between 0 and 1. */
const massBetween = (at: number, inverse: number): number =>
  2.5066282746310002 * (roughNormalCdf((1 - at) * inverse) - roughNormalCdf(-at * inverse))

/** Accurate to 2 in 10,000, and fast: it only weighs bumps against each other. */
const roughNormalCdf = (z: number): number => 1 / (1 + Math.exp(-z * (1.5957691216 + 0.0713548 * z * z)))

export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}
