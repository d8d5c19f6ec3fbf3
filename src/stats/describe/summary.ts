import type { Estimate } from '../estimate.ts'
import { coefficientOfVariation, meanOf, skewness, standardDeviation, standardError, variance } from './moments.ts'
import { sorted, sortedQuantile } from './quantile.ts'
import { medianAbsoluteDeviation } from './robust.ts'
import { ifUsable } from './usable.ts'

/** A sample at a glance. Quantiles are of type 7. */
export interface Summary {
  readonly n: number
  readonly mean: number
  readonly variance: Estimate<number>
  readonly sd: Estimate<number>
  readonly standardError: Estimate<number>
  readonly coefficientOfVariation: Estimate<number>
  readonly skewness: Estimate<number>
  readonly min: number
  readonly q05: number
  readonly q25: number
  readonly median: number
  readonly q75: number
  readonly q95: number
  readonly max: number
  readonly medianAbsoluteDeviation: Estimate<number>
}

export function summarize(values: readonly number[]): Estimate<Summary> {
  return ifUsable(values, 1, () => {
    const ordered = sorted(values)
    const at = (p: number) => sortedQuantile(ordered, p)
    return {
      n: values.length,
      mean: meanOf(values),
      variance: variance(values),
      sd: standardDeviation(values),
      standardError: standardError(values),
      coefficientOfVariation: coefficientOfVariation(values),
      skewness: skewness(values),
      min: at(0),
      q05: at(0.05),
      q25: at(0.25),
      median: at(0.5),
      q75: at(0.75),
      q95: at(0.95),
      max: at(1),
      medianAbsoluteDeviation: medianAbsoluteDeviation(values),
    }
  })
}
