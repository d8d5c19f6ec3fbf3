import { hypergeometricProbability } from '../../distributions/hypergeometric.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { type Count, requireCount } from './two-proportions.ts'

export interface FisherExact {
  /** All tables no more likely than this one. */
  readonly twoSided: number
  readonly greater: number
  readonly less: number
  /**
   * Two-sided with the observed table counted half: less conservative, and practically never above its level (Lydersen
   * et al. 2009, Stat. Med. 28:1159).
   */
  readonly midP: number
  /** The probability of the observed table. */
  readonly observed: number
}

/** Two proportions, exact given both margins (Fisher 1935, JRSS 98:39). */
export function fisherExactTest(a: Count, b: Count): Estimate<FisherExact> {
  requireCount(a)
  requireCount(b)
  if (a.n === 0 || b.n === 0) return unavailable('no_data')
  const drawn = a.successes + b.successes
  const observed = hypergeometricProbability(a.successes, a.n, b.n, drawn)
  let twoSided = 0
  let greater = 0
  let less = 0
  for (let k = Math.max(0, drawn - b.n); k <= Math.min(a.n, drawn); k++) {
    const probability = hypergeometricProbability(k, a.n, b.n, drawn)
    // Equally likely tables differ by rounding.
    if (probability <= observed * (1 + 1e-9)) twoSided += probability
    if (k >= a.successes) greater += probability
    if (k <= a.successes) less += probability
  }
  return {
    twoSided: Math.min(1, twoSided),
    greater: Math.min(1, greater),
    less: Math.min(1, less),
    observed,
    midP: Math.max(Number.MIN_VALUE, Math.min(1, twoSided) - observed / 2),
  }
}
