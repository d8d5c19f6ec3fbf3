/**
 * The similarity of two points: Matérn with smoothness 5/2 and a separate length for each dimension (C. E. Rasmussen
 * and C. K. I. Williams 2006, "Gaussian processes for machine learning", 4.17). Numbers differ by their distance,
 * choices by whether they are the same. A dimension that does not apply counts as its middle, so two points that both
 * lack it do not differ in it; the factor that decides about it covers the rest.
 */

/** Which dimensions are choices. */
export type Choices = readonly boolean[]

export interface Lengths {
  /** 1 / length², by dimension. */
  readonly inverseSquares: Float64Array
  readonly variance: number
}

export function squaredDifference(a: number, b: number, isChoice: boolean): number {
  const one = Number.isNaN(a) ? 0.5 : a
  const other = Number.isNaN(b) ? 0.5 : b
  if (isChoice) return one === other ? 0 : 1
  return (one - other) * (one - other)
}

export function covariance(a: Float64Array, b: Float64Array, choices: Choices, lengths: Lengths): number {
  let squares = 0
  for (let index = 0; index < choices.length; index++)
    squares +=
      squaredDifference(a[index] ?? 0, b[index] ?? 0, choices[index] ?? false) * (lengths.inverseSquares[index] ?? 0)
  return lengths.variance * matern(squares)
}

export function matern(squares: number): number {
  const distance = Math.sqrt(5 * squares)
  return (1 + distance + (5 / 3) * squares) * Math.exp(-distance)
}

/** −2 × the derivative of {@link matern} by the square of the distance. */
export function maternSlope(squares: number): number {
  const distance = Math.sqrt(5 * squares)
  return (5 / 3) * (1 + distance) * Math.exp(-distance)
}
