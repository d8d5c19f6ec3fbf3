import { roundingOf } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { unusable } from '../describe/usable.ts'
import { type Estimate, isAvailable, requireThat, unavailable } from '../estimate.ts'
import type { RandomSource } from '../random/random-source.ts'

export interface CvOrderBand {
  readonly low: number
  readonly middle: number
  readonly high: number
}

/**
 * The sequential CV curve for other orders of the same runs: quantiles at each n over random orders. With all the runs
 * there is only one value; before that the band shows the luck of the order.
 */
export function cvOrderBand(
  values: readonly number[],
  options: { readonly random: RandomSource; readonly orders?: number; readonly level?: number },
): readonly Estimate<CvOrderBand>[] {
  const { random, orders = 1000, level = 0.95 } = options
  requireThat(Number.isInteger(orders) && orders > 0, `a whole number of orders above 0, got ${orders}`)
  const reason = unusable(values, 2)
  if (reason !== undefined) return values.map(() => reason)
  const rounding = roundingOf(values)
  const curves = Array.from({ length: orders }, () => runningCv(shuffled(values, random), rounding))
  return values.map((_, at) =>
    bandAt(
      curves.map(curve => curve[at] ?? unavailable('no_data')),
      level,
    ),
  )
}

function bandAt(cvs: readonly Estimate<number>[], level: number): Estimate<CvOrderBand> {
  const missing = cvs.find(cv => !isAvailable(cv))
  if (missing !== undefined && !isAvailable(missing)) return missing
  const sorted = Float64Array.from(cvs.filter(isAvailable)).sort()
  const miss = (1 - level) / 2
  return {
    low: sortedQuantile(sorted, miss),
    middle: sortedQuantile(sorted, 0.5),
    high: sortedQuantile(sorted, 1 - miss),
  }
}

/** In one pass (Welford 1962, Technometrics 4:419). */
function runningCv(values: readonly number[], rounding: number): Estimate<number>[] {
  let centre = 0
  let squares = 0
  return values.map((value, at) => {
    const before = value - centre
    centre += before / (at + 1)
    squares += before * (value - centre)
    if (at === 0) return unavailable('too_few_values')
    return Math.abs(centre) <= rounding ? unavailable('zero_mean') : Math.sqrt(squares / at) / Math.abs(centre)
  })
}

/** Fisher and Yates: every order is equally likely. */
function shuffled(values: readonly number[], random: RandomSource): number[] {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = random.below(last + 1)
    const value = order[chosen] ?? 0
    order[chosen] = order[last] ?? 0
    order[last] = value
  }
  return order
}
