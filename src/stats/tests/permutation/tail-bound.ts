import { binomialProbability } from '../../distributions/binomial.ts'

/**
 * A bound on the probability that values with random signs add up to at least `total` (Chernoff 1952, Ann. Math. Stat.
 * 23:493), for tails beyond the reach of sampled signs.
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
 * The same for the sum of `size` of the values, drawn without replacement: each value is included with odds f ·
 * e^(power · value + push) to 1 − f, so that the expected number is the number drawn; the probability is that of sum
 * and number together, divided by that of the number (as in Robinson 1982, JRSS B 44:91, without his normal factor).
 */
export function drawnSumBound(values: readonly number[], size: number, total: number): number {
  const share = size / values.length
  const mean = values.reduce((sum, value) => sum + value, 0) * share
  if (total <= mean) return 1
  const far = Math.max(...values.map(Math.abs))
  const exponent = least(power => {
    const push = pushFor(values, power, far, share, size)
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

/** The push for which the expected number is the number drawn, by Newton's method inside a bracket. */
function pushFor(values: readonly number[], power: number, far: number, share: number, size: number): number {
  const odds = share / (1 - share)
  let [low, high, push] = [-power * far - 1, power * far + 1, 0]
  for (let step = 0; step < 60; step++) {
    let [expected, slope] = [0, 0]
    for (const value of values) {
      const own = odds * Math.exp(power * value + push)
      const chance = Number.isFinite(own) ? own / (1 + own) : 1
      expected += chance
      slope += chance * (1 - chance)
    }
    if (expected < size) low = push
    else high = push
    const next = push + (size - expected) / slope
    const isInside = next > low && next < high
    if (isInside && Math.abs(next - push) <= 1e-12 * (1 + Math.abs(push))) return next
    push = isInside ? next : (low + high) / 2
  }
  return push
}

const golden = (Math.sqrt(5) - 1) / 2

/**
 * The minimum of a convex function of a power above 0, by golden-section search: it is flat there, so half the digits
 * of the power are enough.
 */
function least(of: (power: number) => number, scale: number): number {
  let [high, at, beyond] = [scale, of(scale), of(2 * scale)]
  while (beyond < at && high < 1e6 * scale) {
    high *= 2
    ;[at, beyond] = [beyond, of(2 * high)]
  }
  let low = 0
  high *= 2
  let [a, b] = [high - golden * high, golden * high]
  let [ofA, ofB] = [of(a), of(b)]
  while (high - low > 1e-7 * high) {
    if (ofA < ofB) {
      ;[high, b, ofB] = [b, a, ofA]
      a = high - golden * (high - low)
      ofA = of(a)
    } else {
      ;[low, a, ofA] = [a, b, ofB]
      b = low + golden * (high - low)
      ofB = of(b)
    }
  }
  return Math.min(0, ofA, ofB)
}
