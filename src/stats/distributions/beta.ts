import { betaFront, incompleteBeta } from '../special/incomplete-beta.ts'
import { logGamma } from '../special/log-gamma.ts'
import { rootOfConcave } from '../special/newton.ts'

export function betaCdf(x: number, a: number, b: number): number {
  return incompleteBeta(a, b, x).lower
}

export function betaSurvival(x: number, a: number, b: number): number {
  return incompleteBeta(a, b, x).upper
}

export function betaDensity(x: number, a: number, b: number): number {
  if (x < 0 || x > 1) return 0
  if (x === 0) return a < 1 ? Infinity : a === 1 ? b : 0
  if (x === 1) return b < 1 ? Infinity : b === 1 ? a : 0
  return betaFront(a, b, x, 1 - x) / (x * (1 - x))
}

export function betaQuantile(p: number, a: number, b: number): number {
  return betaQuantilePair(p, 1 - p, a, b).x
}

/**
 * The x with I_x(a, b) = p, and y = 1 − x, both to full relative accuracy; `q` is 1 − p.
 * Newton on the logarithm of the smaller tail over u = log(x / y): the logit of a beta variable is log-concave, and its density is
 * what `betaFront` gives.
 */
export function betaQuantilePair(
  p: number,
  q: number,
  a: number,
  b: number,
): { readonly x: number; readonly y: number } {
  if (!(p >= 0 && q >= 0 && a > 0 && b > 0)) return { x: Number.NaN, y: Number.NaN }
  if (p === 0) return { x: 0, y: 1 }
  if (q === 0) return { x: 1, y: 0 }
  if (p > q) {
    const { x, y } = betaQuantilePair(q, p, b, a)
    return { x: y, y: x }
  }
  const smallest = powerLaw(p, a, b)
  if (smallest < -600) return { x: Math.exp(smallest), y: 1 }
  const u = rootOfConcave(Math.log(a / b), at => {
    const { x, y } = fromLogit(at)
    const { lower } = incompleteBeta(a, b, x, y)
    return [Math.log(lower / p), betaFront(a, b, x, y) / lower]
  })
  return fromLogit(u)
}

/** The point at which xᵃ / (a B(a, b)), which is all of I_x when x is tiny, equals p; as log x. */
function powerLaw(p: number, a: number, b: number): number {
  return (Math.log(p) + Math.log(a) + logGamma(a) + logGamma(b) - logGamma(a + b)) / a
}

function fromLogit(u: number): { readonly x: number; readonly y: number } {
  return { x: 1 / (1 + Math.exp(-u)), y: 1 / (1 + Math.exp(u)) }
}
