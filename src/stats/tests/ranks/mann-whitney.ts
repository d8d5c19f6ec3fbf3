import { midranks, tieCorrection } from '../../describe/ranks.ts'
import { unusableRanks } from '../../describe/usable.ts'
import { normalSurvival } from '../../distributions/normal.ts'
import { type Estimate, type Unavailable, unavailable } from '../../estimate.ts'
import { type Alternative, type ExactP, exactP } from '../alternative.ts'
import { drawCost, drawSums, tailsAt, wholeRanks } from './subset-sums.ts'

export interface MannWhitney {
  /** Pairs in which a is greater than b, ties counting half. */
  readonly uA: number
  readonly uB: number
  /** uA as a share of all pairs: P(a > b) + ½ P(a = b). */
  readonly probabilityOfSuperiority: number
}

export interface MannWhitneyExact extends MannWhitney {
  readonly p: ExactP
}

export interface MannWhitneyNormal extends MannWhitney {
  readonly z: number
  readonly p: number
}

/** U alone, which ties and single values do not affect. */
export function mannWhitneyU(a: readonly number[], b: readonly number[]): Estimate<MannWhitney> {
  const prepared = prepare(a, b)
  return 'unavailable' in prepared ? prepared : prepared.u
}

/** Exact given the observed midranks: all splits of the pooled sample are counted (Mann & Whitney 1947; Streitberg & Röhmel 1986). */
export function mannWhitneyExact(a: readonly number[], b: readonly number[]): Estimate<MannWhitneyExact> {
  const prepared = prepare(a, b)
  if ('unavailable' in prepared) return prepared
  const { ranks, u } = prepared
  if (tieCorrection(ranks) === ranks.length ** 3 - ranks.length) return unavailable('all_tied')
  const [smaller, isA] = a.length <= b.length ? [a.length, true] : [b.length, false]
  const { weights, factor } = wholeRanks(ranks)
  if (drawCost(weights, smaller) > mostSteps) return unavailable('too_many_values')
  const rankSum = (isA ? u.uA : u.uB) + (smaller * (smaller + 1)) / 2
  const { sums, offset } = drawSums(weights, smaller)
  const { atLeast, atMost } = tailsAt(sums, Math.round(rankSum * factor) - offset)
  return { ...u, p: isA ? exactP(atLeast, atMost) : exactP(atMost, atLeast) }
}

export interface MannWhitneyNormalOptions {
  readonly alternative?: Alternative
  readonly continuity?: boolean
}

/** By its normal limit with the variance corrected for ties. */
export function mannWhitneyNormal(
  a: readonly number[],
  b: readonly number[],
  { alternative = 'two-sided', continuity = true }: MannWhitneyNormalOptions = {},
): Estimate<MannWhitneyNormal> {
  const prepared = prepare(a, b)
  if ('unavailable' in prepared) return prepared
  const { ranks, u } = prepared
  const n = ranks.length
  const variance = ((a.length * b.length) / 12) * (n + 1 - tieCorrection(ranks) / (n * (n - 1)))
  if (variance <= 0) return unavailable('all_tied')
  const distance = u.uA - (a.length * b.length) / 2
  const half = continuity ? 0.5 : 0
  const sd = Math.sqrt(variance)
  if (alternative === 'two-sided') {
    const z = (Math.sign(distance) * Math.max(0, Math.abs(distance) - half)) / sd
    return { ...u, z, p: Math.min(1, 2 * normalSurvival(Math.abs(z))) }
  }
  const z = (distance + (alternative === 'greater' ? -half : half)) / sd
  return { ...u, z, p: normalSurvival(alternative === 'greater' ? z : -z) }
}

/** About a second of counting. */
const mostSteps = 1e9

interface Prepared {
  readonly ranks: readonly number[]
  readonly u: MannWhitney
}

function prepare(a: readonly number[], b: readonly number[]): Prepared | Unavailable {
  const reason = unusableRanks(a) ?? unusableRanks(b)
  if (reason !== undefined) return reason
  const ranks = midranks([...a, ...b])
  const pairs = a.length * b.length
  const uA = ranks.slice(0, a.length).reduce((sum, rank) => sum + rank, 0) - (a.length * (a.length + 1)) / 2
  return { ranks, u: { uA, uB: pairs - uA, probabilityOfSuperiority: uA / pairs } }
}
