import { type Estimate, unavailable } from '../estimate.ts'

/**
 * How fast the standard error changes with the statistic, from leave-one-out values, for any number of samples (Efron &
 * Tibshirani 1993, "An introduction to the bootstrap", eq. 15.36; with one sample, eq. 14.15).
 */
export function acceleration(jackknife: readonly ArrayLike<number>[]): Estimate<number> {
  let cubes = 0
  let squares = 0
  for (const leftOut of jackknife) {
    const size = leftOut.length
    let sum = 0
    for (let at = 0; at < size; at++) sum += leftOut[at] ?? 0
    const centre = sum / size
    for (let at = 0; at < size; at++) {
      const influence = ((size - 1) * (centre - (leftOut[at] ?? 0))) / size
      cubes += influence ** 3
      squares += influence ** 2
    }
  }
  return squares === 0 ? unavailable('zero_variance') : cubes / (6 * squares ** 1.5)
}
