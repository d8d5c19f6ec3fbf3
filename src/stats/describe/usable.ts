import { type Estimate, type Unavailable, unavailable } from '../estimate.ts'

/** Squares of larger values, and sums of them, are infinite. */
const tooLarge = 1e150

/** Differences of smaller values have a square of 0, which would look like no variance. */
const tooSmall = 1e-140

/** Why these values cannot be averaged and squared, if so. */
export function unusable(values: readonly number[], atLeast = 1): Unavailable | undefined {
  return unusableSums(values, atLeast) ?? (areTooSmall(values) ? unavailable('too_small') : undefined)
}

/** Why these values cannot be averaged, if so: small ones can. */
export function unusableSums(values: readonly number[], atLeast = 1): Unavailable | undefined {
  const reason = unusableRanks(values, atLeast)
  if (reason !== undefined || values.every(value => Math.abs(value) < tooLarge)) return reason
  return unavailable(values.every(Number.isFinite) ? 'too_large' : 'infinite_value')
}

const areTooSmall = (values: readonly number[]): boolean =>
  values.every(value => Math.abs(value) < tooSmall) && values.some(value => value !== 0)

/** Why these values cannot be ranked, if so: infinite ones can. */
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
