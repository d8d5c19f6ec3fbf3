import { meanOf, sumOfSquares } from '../../describe/moments.ts'
import { midranks } from '../../describe/ranks.ts'
import { unusableRanks } from '../../describe/usable.ts'
import { studentTSurvival } from '../../distributions/student-t.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { type Alternative, symmetricP } from '../alternative.ts'
import { welchDf } from '../means/welch.ts'

export interface BrunnerMunzel {
  /** Above 0 when b tends to exceed a. */
  readonly w: number
  readonly df: number
  readonly p: number
  /** P(b > a) + ½ P(b = a). */
  readonly probabilityBGreater: number
}

/**
 * Whether P(a > b) + ½ P(a = b) is ½, allowing different spreads and shapes (Brunner & Munzel 2000, Biom. J. 42:17).
 */
export function brunnerMunzelTest(
  a: readonly number[],
  b: readonly number[],
  alternative: Alternative = 'two-sided',
): Estimate<BrunnerMunzel> {
  const reason = unusableRanks(a, 2) ?? unusableRanks(b, 2)
  if (reason !== undefined) return reason
  const pooled = midranks([...a, ...b])
  const pooledA = pooled.slice(0, a.length)
  const pooledB = pooled.slice(a.length)
  const n = pooled.length
  const gap = meanOf(pooledB) - meanOf(pooledA)
  const varianceA = placementVariance(pooledA, midranks(a))
  const varianceB = placementVariance(pooledB, midranks(b))
  // There is no variance if the groups do not overlap at all, or if all comparisons between them are ties.
  if (varianceA + varianceB === 0) return unavailable(gap === 0 ? 'all_tied' : 'no_overlap')
  const w = (a.length * b.length * gap) / (n * Math.sqrt(a.length * varianceA + b.length * varianceB))
  const df = welchDf(a.length * varianceA, a.length, b.length * varianceB, b.length)
  return {
    w,
    df,
    p: symmetricP(-w, alternative, x => studentTSurvival(x, df)),
    probabilityBGreater: gap / n + 0.5,
  }
}

/** Variance of the ranks in the pooled sample minus those within the group. */
function placementVariance(pooled: readonly number[], within: readonly number[]): number {
  return sumOfSquares(pooled.map((rank, at) => rank - (within[at] ?? 0))) / (pooled.length - 1)
}
