import { coefficientOfVariation } from '../describe/moments.ts'
import { type Estimate, isAvailable, requireThat } from '../estimate.ts'
import { firstRelativeChangeBelow } from './relative-change.ts'

export interface CvCurve {
  /** The coefficient of variation of the first n values, for n = 1, 2, … */
  readonly cv: readonly Estimate<number>[]
  /** The first n whose value is below the threshold. In 45 of 100 pilots of 15 runs whose true CV is twice the threshold it finds one. */
  readonly firstBelow: number | null
  /** The first n from which all values are below the threshold. */
  readonly stableBelow: number | null
  /**
   * The first n whose value differs from the previous one by less than this share: a rule that says nothing about
   * precision.
   */
  readonly firstRelativeChangeBelow: number | null
}

/**
 * The coefficient of variation as runs are added in the order given. It estimates a constant and does not shrink with more
 * runs, so it cannot say how many are needed; kept because published analyses use it. `cv-interval.ts` and
 * `precision-curve.ts` answer the question.
 */
export function cvCurve(values: readonly number[], threshold = 0.05): CvCurve {
  requireThat(threshold > 0, `a threshold above 0, got ${threshold}`)
  const cv = values.map((_, at) => coefficientOfVariation(values.slice(0, at + 1)))
  const isBelow = cv.map(value => isAvailable(value) && value < threshold)
  const lastAbove = isBelow.lastIndexOf(false)
  return {
    cv,
    firstBelow: oneBased(isBelow.indexOf(true)),
    stableBelow: lastAbove === cv.length - 1 ? null : lastAbove + 2,
    firstRelativeChangeBelow: firstRelativeChangeBelow(cv, threshold),
  }
}

function oneBased(at: number): number | null {
  return at < 0 ? null : at + 1
}
