import { normalSurvival } from '../../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'
import { type Alternative, symmetricP } from '../alternative.ts'

/** Items by who got them right: both, only a, only b, neither. */
export interface PairedCounts {
  readonly both: number
  readonly onlyA: number
  readonly onlyB: number
  readonly neither: number
}

/** Successes and trials of one group. */
export interface Count {
  readonly successes: number
  readonly n: number
}

export interface TwoProportions {
  readonly difference: number
  readonly z: number
  readonly p: number
}

/** The z test with the pooled standard error, without continuity correction. */
export function twoProportionsTest(
  a: Count,
  b: Count,
  alternative: Alternative = 'two-sided',
): Estimate<TwoProportions> {
  requireCount(a)
  requireCount(b)
  if (a.n === 0 || b.n === 0) return unavailable('no_data')
  const pooled = (a.successes + b.successes) / (a.n + b.n)
  // All or none succeeded: there is no variance to compare a difference with.
  if (pooled === 0 || pooled === 1) return unavailable('zero_variance')
  const difference = a.successes / a.n - b.successes / b.n
  const z = difference / Math.sqrt(pooled * (1 - pooled) * (1 / a.n + 1 / b.n))
  return { difference, z, p: symmetricP(z, alternative, normalSurvival) }
}

export function requireCount({ successes, n }: Count): void {
  requireThat(n >= 0 && successes >= 0 && successes <= n, `successes between 0 and n, not ${successes} of ${n}`)
}
