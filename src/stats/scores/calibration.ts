import { midranks } from '../describe/ranks.ts'
import { unusable } from '../describe/usable.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'

export interface Calibration {
  /** Mean squared error of the probabilities (Brier 1950). */
  readonly brier: number
  /** 1 − Brier score / that of always stating the base rate. */
  readonly brierSkill: Estimate<number>
  /**
   * Probabilities of exactly 0 and 1 count as 10⁻¹⁵ from there: a single certain mistake would otherwise be infinite.
   */
  readonly logLoss: number
  /** Expected and maximum calibration error over the bins (Naeini, Cooper & Hauskrecht 2015). Depend on the number of bins. */
  readonly expectedError: number
  readonly maximumError: number
  /**
   * The probability that a success was given a higher probability than a failure, ties counting half (Hanley & McNeil
   * 1982).
   */
  readonly areaUnderRoc: Estimate<number>
  readonly bins: readonly CalibrationBin[]
}

export interface CalibrationBin {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly meanProbability: number
  readonly successRate: number
}

const clip = 1e-15

/** The reliability of stated probabilities (a model's confidence, for example). Outcomes are 0 or 1. */
export function calibration(
  probabilities: readonly number[],
  outcomes: readonly number[],
  { bins = 10 }: { readonly bins?: number } = {},
): Estimate<Calibration> {
  requireThat(probabilities.length === outcomes.length, `an outcome for each of ${probabilities.length} probabilities`)
  requireThat(Number.isInteger(bins) && bins > 0, `a whole number of bins above 0, got ${bins}`)
  const reason = unusable(probabilities) ?? unusable(outcomes)
  if (reason !== undefined) return reason
  requireThat(
    probabilities.every(p => p >= 0 && p <= 1) && outcomes.every(y => y === 0 || y === 1),
    'probabilities from 0 to 1 and outcomes of 0 or 1',
  )
  const size = outcomes.length
  const brier = probabilities.reduce((sum, p, at) => sum + (p - (outcomes[at] ?? 0)) ** 2, 0) / size
  const rate = outcomes.filter(y => y === 1).length / size
  const filled = binsOf(probabilities, outcomes, bins)
  const gapOf = (bin: CalibrationBin) => Math.abs(bin.meanProbability - bin.successRate)
  return {
    brier,
    brierSkill: rate === 0 || rate === 1 ? unavailable('one_category') : 1 - brier / (rate * (1 - rate)),
    logLoss: probabilities.reduce((sum, p, at) => sum + surprise(p, outcomes[at] ?? 0), 0) / size,
    expectedError: filled.reduce((sum, bin) => sum + (bin.count / size) * gapOf(bin), 0),
    maximumError: Math.max(...filled.map(gapOf)),
    areaUnderRoc: areaUnderRoc(probabilities, outcomes),
    bins: filled,
  }
}

function surprise(probability: number, outcome: number): number {
  const clipped = Math.min(1 - clip, Math.max(clip, probability))
  return -(outcome === 1 ? Math.log(clipped) : Math.log1p(-clipped))
}

/** Bins of equal width, the last with its upper edge; empty ones are left out. */
function binsOf(probabilities: readonly number[], outcomes: readonly number[], count: number): CalibrationBin[] {
  const members = Array.from({ length: count }, (): number[] => [])
  probabilities.forEach((p, at) => {
    members[binOf(p, count)]?.push(at)
  })
  return members.flatMap((positions, bin) => {
    if (positions.length === 0) return []
    const mean = (values: readonly number[]) =>
      positions.reduce((sum, at) => sum + (values[at] ?? 0), 0) / positions.length
    return {
      from: bin / count,
      to: (bin + 1) / count,
      count: positions.length,
      meanProbability: mean(probabilities),
      successRate: mean(outcomes),
    }
  })
}

/** Compared with the edges themselves: 0.29 × 100 is below 29, but 0.29 is not below 29 / 100. */
function binOf(probability: number, count: number): number {
  let bin = Math.min(count - 1, Math.floor(probability * count))
  while (bin > 0 && probability < bin / count) bin--
  while (bin < count - 1 && probability >= (bin + 1) / count) bin++
  return bin
}

function areaUnderRoc(probabilities: readonly number[], outcomes: readonly number[]): Estimate<number> {
  const successes = outcomes.filter(y => y === 1).length
  const failures = outcomes.length - successes
  if (successes === 0 || failures === 0) return unavailable('one_category')
  const ranks = midranks(probabilities)
  const rankSum = ranks.reduce((sum, rank, at) => sum + (outcomes[at] === 1 ? rank : 0), 0)
  return (rankSum - (successes * (successes + 1)) / 2) / (successes * failures)
}
