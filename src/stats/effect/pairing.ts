import { pairedDifferences } from '../describe/differences.ts'
import { isConstant, meanOf, sumOfSquares } from '../describe/moments.ts'
import { sum } from '../describe/sum.ts'
import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'

/** The gain from pairing. */
export interface PairingGain {
  readonly correlation: Estimate<number>
  /**
   * 1 − variance of the paired difference / variance of the unpaired one: 0.9 means that a tenth of the runs is enough.
   */
  readonly varianceReduction: number
}

export function pairingGain(a: readonly number[], b: readonly number[]): Estimate<PairingGain> {
  return whenAvailable(pairedDifferences(a, b), ({ values }) => {
    if (values.length < 2) return unavailable('too_few_values')
    const squaresA = sumOfSquares(a)
    const squaresB = sumOfSquares(b)
    if (squaresA + squaresB === 0) return unavailable('zero_variance')
    const meanA = meanOf(a)
    const meanB = meanOf(b)
    const product = sum(a.map((value, at) => (value - meanA) * ((b[at] ?? 0) - meanB)))
    const correlation =
      isConstant(a) || isConstant(b)
        ? unavailable('zero_variance')
        : Math.min(1, Math.max(-1, product / (Math.sqrt(squaresA) * Math.sqrt(squaresB))))
    return { correlation, varianceReduction: 1 - sumOfSquares(values) / (squaresA + squaresB) }
  })
}
