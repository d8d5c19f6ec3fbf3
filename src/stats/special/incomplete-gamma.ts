import { continuedFraction } from './continued-fraction.ts'
import { stirlingError } from './log-gamma.ts'
import { log1pMinusX } from './log1p-minus-x.ts'
import type { Tails } from './tails.ts'

/**
 * The regularised incomplete gamma function: P(a, x) as `lower`, Q(a, x) as `upper`.
 * Series below the mean, Legendre's continued fraction above it (Abramowitz & Stegun 6.5.29 and 6.5.31).
 */
export function incompleteGamma(a: number, x: number): Tails {
  if (Number.isNaN(a) || Number.isNaN(x) || a <= 0) return { lower: Number.NaN, upper: Number.NaN }
  if (x <= 0) return { lower: 0, upper: 1 }
  if (x === Infinity) return { lower: 1, upper: 0 }
  const front = gammaFront(a, x)
  if (x < a + 1) {
    const lower = Math.min(1, (front * series(a, x)) / a)
    return { lower, upper: 1 - lower }
  }
  const fraction = continuedFraction(
    x + 1 - a,
    k => k * (a - k),
    k => x + 2 * k + 1 - a,
  )
  const upper = Math.min(1, front / fraction)
  return { lower: 1 - upper, upper }
}

/** xᵃ e⁻ˣ / Γ(a), as Loader 2000 ("Fast and accurate computation of binomial probabilities") writes it: nothing large cancels. */
export function gammaFront(a: number, x: number): number {
  if (a < 1e-300) return 0
  return Math.sqrt(a / (2 * Math.PI)) * Math.exp(a * log1pMinusX((x - a) / a, x / a) - stirlingError(a))
}

function series(a: number, x: number): number {
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= x / (a + k)
    sum += term
  }
  return sum
}
