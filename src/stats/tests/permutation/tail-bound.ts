import { binomialProbability } from '../../distributions/binomial.ts'

/**
 * A bound on the chance that values with random signs add up to at least `total` (Chernoff 1952, Ann. Math. Stat. 23:493), for tails
 * that no number of drawn signs reaches.
 */
export function signedSumBound(sizes: readonly number[], total: number): number {
  if (total <= 0) return 1
  if (total >= sizes.reduce((sum, size) => sum + size, 0)) return 2 ** -sizes.length || Number.MIN_VALUE
  const exponent = least(
    power => sizes.reduce((sum, size) => sum + logCosh(power * size), -power * total),
    1 / Math.max(...sizes),
  )
  return probability(exponent)
}

/**
 * The same for the sum of `size` of the values, drawn without replacement: each value is in with chance f · e^(power · value + push)
 * against 1 − f, so that as many are expected as are drawn; the chance is that of a sum and a number together, divided by that of
 * the number (as in Robinson 1982, JRSS B 44:91, without his normal factor).
 */
export function drawnSumBound(values: readonly number[], size: number, total: number): number {
  const share = size / values.length
  const mean = values.reduce((sum, value) => sum + value, 0) * share
  if (total <= mean) return 1
  const far = Math.max(...values.map(Math.abs))
  const exponent = least(power => {
    const push = pushFor(values, power, share, size)
    return values.reduce(
      (sum, value) => sum + Math.log1p(share * Math.expm1(power * value + push)),
      -power * total - push * size,
    )
  }, 1 / far)
  return Math.min(1, probability(exponent) / binomialProbability(size, values.length, share))
}

const probability = (exponent: number): number => Math.min(1, Math.max(Number.MIN_VALUE, Math.exp(exponent)))

const logCosh = (x: number): number => {
  const size = Math.abs(x)
  return size + Math.log1p(Math.exp(-2 * size)) - Math.LN2
}

/** The push that makes as many expected as are drawn, by halving. */
function pushFor(values: readonly number[], power: number, share: number, size: number): number {
  const far = power * Math.max(...values.map(Math.abs))
  let [low, high] = [-far - 1, far + 1]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    const expected = values.reduce((sum, value) => {
      const odds = (share / (1 - share)) * Math.exp(power * value + middle)
      return sum + (Number.isFinite(odds) ? odds / (1 + odds) : 1)
    }, 0)
    if (expected < size) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The least value of a convex function of a power above 0, by thirds of the golden section. */
function least(of: (power: number) => number, scale: number): number {
  let high = scale
  while (of(2 * high) < of(high) && high < 1e6 * scale) high *= 2
  let low = 0
  high *= 2
  for (let step = 0; step < 60; step++) {
    const [a, b] = [low + 0.382 * (high - low), low + 0.618 * (high - low)]
    if (of(a) < of(b)) high = b
    else low = a
  }
  return Math.min(0, of((low + high) / 2))
}
