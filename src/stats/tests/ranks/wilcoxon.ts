import type { Differences } from '../../describe/differences.ts'
import { tieCorrection } from '../../describe/ranks.ts'
import { normalSurvival } from '../../distributions/normal.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { type Alternative, type ExactP, exactP, symmetricP } from '../alternative.ts'
import { type SignedRanks, signedRanks, type Zeros } from './signed-ranks.ts'
import { coinSums, tailsAt, wholeRanks } from './subset-sums.ts'

export interface WilcoxonExact extends SignedRanks {
  readonly p: ExactP
}

/** Above this the distribution takes seconds, and the normal one is as good. */
export const mostExactPairs = 800

/**
 * The signed-rank test (Wilcoxon 1945, Biometrics Bull. 1:80), exact given the observed ranks, ties included:
 * all 2ⁿ choices of signs are counted.
 */
export function wilcoxonExact(differences: Differences, zeros: Zeros = 'drop'): Estimate<WilcoxonExact> {
  const signed = signedRanks(differences, zeros)
  if (signed.n === 0) return unavailable('all_differences_zero')
  if (signed.n > mostExactPairs) return unavailable('too_many_values')
  const { weights, factor } = wholeRanks(signed.ranks)
  const { atLeast, atMost } = tailsAt(coinSums(weights), Math.round(signed.plus * factor))
  return { ...signed, p: exactP(atLeast, atMost) }
}

export interface WilcoxonNormal extends SignedRanks {
  readonly z: number
  readonly p: number
}

export interface WilcoxonNormalOptions {
  readonly zeros?: Zeros
  readonly alternative?: Alternative
  readonly continuity?: boolean
}

/**
 * The same by its normal limit, with the variance corrected for ties and, with Pratt's zeros, for these (Cureton 1967,
 * JASA 62:1068).
 */
export function wilcoxonNormal(
  differences: Differences,
  { zeros = 'drop', alternative = 'two-sided', continuity = true }: WilcoxonNormalOptions = {},
): Estimate<WilcoxonNormal> {
  const signed = signedRanks(differences, zeros)
  if (signed.n === 0) return unavailable('all_differences_zero')
  const ranked = zeros === 'pratt' ? signed.n + signed.zeros : signed.n
  const unused = ranked - signed.n
  const mean = (ranked * (ranked + 1) - unused * (unused + 1)) / 4
  const variance = (cubes(ranked) - cubes(unused) - tieCorrection(signed.ranks) / 2) / 24
  const z = (signed.plus - mean - (continuity ? step(signed.plus - mean, alternative) : 0)) / Math.sqrt(variance)
  return { ...signed, z, p: symmetricP(z, alternative, normalSurvival) }
}

const cubes = (n: number) => n * (n + 1) * (2 * n + 1)

/** Half a step towards the mean, or against the alternative. */
function step(distance: number, alternative: Alternative): number {
  if (alternative === 'greater') return 0.5
  if (alternative === 'less') return -0.5
  return Math.sign(distance) * Math.min(0.5, Math.abs(distance))
}
