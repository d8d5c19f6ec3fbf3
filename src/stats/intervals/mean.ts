import { isConstant, meanOf, standardError } from '../describe/moments.ts'
import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { tInterval } from '../tests/means/t-inference.ts'

export interface MeanInterval extends Interval {
  readonly mean: number
  readonly standardError: number
  readonly df: number
}

/** Student's interval of a mean. None for values without variance: a width of 0 would claim certainty. */
export function meanInterval(values: readonly number[], level = 0.95): Estimate<MeanInterval> {
  return whenAvailable(standardError(values), error => {
    if (isConstant(values)) return unavailable('zero_variance')
    const mean = meanOf(values)
    const df = values.length - 1
    return { mean, standardError: error, df, ...tInterval(mean, error, df, level) }
  })
}
