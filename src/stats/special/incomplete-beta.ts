import { continuedFraction } from './continued-fraction.ts'
import { stirlingError } from './log-gamma.ts'
import { log1pMinusX } from './log1p-minus-x.ts'
import { swapTails, type Tails } from './tails.ts'

/**
 * The regularised incomplete beta function I_x(a, b) as `lower` and 1 − I_x(a, b) as `upper`, by the continued fraction of
 * Didonato & Morris 1992 (ACM Trans. Math. Softw. 18:360, eq. 9) on the side of the mean where it converges fast.
 * `y` is 1 − x: callers that know it better than by subtraction keep their tails exact.
 */
export function incompleteBeta(a: number, b: number, x: number, y: number = 1 - x): Tails {
  if (!(a > 0 && b > 0) || Number.isNaN(x)) return { lower: Number.NaN, upper: Number.NaN }
  if (x <= 0) return { lower: 0, upper: 1 }
  if (y <= 0) return { lower: 1, upper: 0 }
  return b * x <= a * y ? belowMean(a, b, x, y) : swapTails(belowMean(b, a, y, x))
}

/** xᵃ yᵇ / B(a, b), as Loader 2000 writes binomial probabilities: relative accuracy for any size of a and b. */
export function betaFront(a: number, b: number, x: number, y: number): number {
  const shift = x * b - y * a
  const exponent = a * log1pMinusX(shift / a, x * (1 + b / a)) + b * log1pMinusX(-shift / b, y * (1 + a / b))
  const correction = stirlingError(a + b) - stirlingError(a) - stirlingError(b)
  return Math.sqrt((a / (2 * Math.PI)) * (b / (a + b))) * Math.exp(exponent + correction)
}

function belowMean(a: number, b: number, x: number, y: number): Tails {
  // Not negative below the mean, so that nothing in the first terms cancels.
  const distance = a * y - b * x
  const fraction = continuedFraction(
    (a * (distance + 1)) / (a + 1),
    m => {
      const d = a + 2 * m - 1
      return ((a + m - 1) / d) * ((a + b + m - 1) / d) * m * (b - m) * x * x
    },
    m => m + (m * (b - m) * x) / (a + 2 * m - 1) + ((a + m) * (distance + 1 + m * (1 + y))) / (a + 2 * m + 1),
  )
  const lower = Math.min(1, betaFront(a, b, x, y) / fraction)
  return { lower, upper: 1 - lower }
}
