/**
 * b₀ + a₁ / (b₁ + a₂ / (b₂ + …)) from the front, until it no longer changes
 * (modified Lentz: Thompson & Barnett 1986, J. Comput. Phys. 64:490).
 */
export function continuedFraction(
  first: number,
  numerator: (k: number) => number,
  denominator: (k: number) => number,
): number {
  let value = first === 0 ? tiny : first
  let c = value
  let d = 0
  for (let k = 1; k < mostTerms; k++) {
    const a = numerator(k)
    const b = denominator(k)
    d = awayFromZero(b + a * d)
    c = awayFromZero(b + a / c)
    d = 1 / d
    const change = c * d
    value *= change
    if (Math.abs(change - 1) < 2e-16) break
  }
  return value
}

/** Enough for the incomplete beta function with parameters near 10¹², which needs about their square root. */
const mostTerms = 3_000_000
const tiny = 1e-300

function awayFromZero(x: number): number {
  return Math.abs(x) < tiny ? tiny : x
}
