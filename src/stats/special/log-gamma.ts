import { log1pMinusX } from './log1p-minus-x.ts'

/**
 * The logarithm of Γ by Stirling's series (Abramowitz & Stegun 6.1.40). Below 16 the argument is first
 * moved up by Γ(x + 1) = x Γ(x). For x > 0; the error is a few units in the last place of max(1, |log Γ|).
 */
export function logGamma(x: number): number {
  if (!(x > 0)) return Number.NaN
  if (x === 1 || x === 2) return 0
  if (x === Infinity) return Infinity
  if (x < seriesFrom) {
    let product = x
    let shifted = x + 1
    while (shifted < seriesFrom) product *= shifted++
    return stirling(shifted) - Math.log(product)
  }
  return stirling(x)
}

/** The error of Stirling's formula without its series: log Γ(x) − [(x − ½) log x − x + ½ log 2π]. */
export function stirlingError(x: number): number {
  if (x >= seriesFrom) return stirlingSeries(x)
  // Quantiles ask for the same few degrees of freedom again and again.
  const known = recent.get(x)
  if (known !== undefined) return known
  if (recent.size >= 1000) recent.clear()
  const error = stirlingErrorBelow(x)
  recent.set(x, error)
  return error
}

const recent = new Map<number, number>()

function stirlingErrorBelow(x: number): number {
  if (x >= seriesFrom) return stirlingSeries(x)
  if (x < 1) return logGamma(x) - (x - 0.5) * Math.log(x) + x - halfLogTwoPi
  // Γ(x + 1) = x Γ(x), written for the error itself: no large numbers that cancel.
  return stirlingErrorBelow(x + 1) + log1pMinusX(1 / x) * (x + 0.5) + 0.5 / x
}

/** log(Γ(x + d) / Γ(x)) for x much larger than d, where a difference of two log Γ would cancel. */
export function logGammaRatio(x: number, d: number): number {
  const moved = d / x
  return (x - 0.5) * log1pMinusX(moved) + d * Math.log(x + d) - 0.5 * moved + stirlingError(x + d) - stirlingError(x)
}

const seriesFrom = 16
const halfLogTwoPi = 0.9189385332046728

/** Bernoulli numbers B₂ₖ / (2k (2k − 1)), k = 1 … 9. */
const bernoulli = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
  43867 / 244188,
]

function stirling(x: number): number {
  return (x - 0.5) * Math.log(x) - x + halfLogTwoPi + stirlingSeries(x)
}

function stirlingSeries(x: number): number {
  const square = x * x
  let sum = 0
  for (let k = bernoulli.length - 1; k >= 0; k--) sum = (bernoulli[k] ?? 0) + sum / square
  return sum / x
}
