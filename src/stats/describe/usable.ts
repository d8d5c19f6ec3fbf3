import { type Estimate, type Unavailable, unavailable } from '../outcome.ts'

/** Squares of larger values, and sums of them, are infinite. */
const tooLarge = 1e150

/** Why these values cannot be averaged, if they cannot. */
export function unusable(values: readonly number[], atLeast = 1): Unavailable | undefined {
  const areMeasurable = values.every(value => Math.abs(value) < tooLarge)
  return unusableRanks(values, atLeast) ?? (areMeasurable ? undefined : unavailable('infinite_value'))
}

/** Why these values cannot be ranked, if they cannot: infinite ones can. */
export function unusableRanks(values: readonly number[], atLeast = 1): Unavailable | undefined {
  if (values.some(Number.isNaN)) return unavailable('not_a_number')
  if (values.length === 0) return unavailable('no_data')
  return values.length < atLeast ? unavailable('too_few_values') : undefined
}

/** The first reason among several samples. */
export function firstUnusable(samples: readonly (readonly number[])[], atLeast = 1): Unavailable | undefined {
  for (const sample of samples) {
    const reason = unusable(sample, atLeast)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Runs `compute` only on values that can be averaged. */
export function ifUsable<T>(values: readonly number[], atLeast: number, compute: () => Estimate<T>): Estimate<T> {
  return unusable(values, atLeast) ?? compute()
}
