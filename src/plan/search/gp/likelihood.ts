import { type Choices, matern, maternSlope, squaredDifference } from './kernel.ts'
import { cholesky, inverseOf, solveLower, solveUpper } from './linear-algebra.ts'

/** What a Gaussian process is fitted to. */
export interface Data {
  readonly places: readonly Float64Array[]
  readonly values: Float64Array
  /** Known noise variance of each value, from replicates. */
  readonly variances: Float64Array
  readonly choices: Choices
}

/**
 * The parameters in one array, all as logarithms: a length for each dimension, the variance of the function, the
 * variance of the noise.
 */
export type Parameters = Float64Array

/**
 * The negative logarithm of the likelihood of the values under these parameters, times the prior of the parameters,
 * with its gradient (Rasmussen and Williams 2006, 5.9). The mean is the one that fits best.
 */
export function objectiveOf(data: Data): (parameters: Parameters) => { value: number; gradient: Float64Array } {
  const size = data.values.length
  const dimensions = data.choices.length
  const differences = differencesOf(data)
  return parameters => {
    const weights = parameters.subarray(0, dimensions).map(log => Math.exp(-2 * log))
    const variance = Math.exp(parameters[dimensions] ?? 0)
    const noise = Math.exp(parameters[dimensions + 1] ?? 0)
    const matrix = new Float64Array(size * size)
    const slopes = new Float64Array(size * size)
    for (let row = 0; row < size; row++)
      for (let column = 0; column <= row; column++) {
        const at = row * size + column
        let squares = 0
        for (let index = 0; index < dimensions; index++)
          squares += (differences[at * dimensions + index] ?? 0) * (weights[index] ?? 0)
        matrix[at] = variance * matern(squares)
        slopes[at] = variance * maternSlope(squares)
      }
    const kernel = matrix.slice()
    for (let row = 0; row < size; row++) {
      const at = row * size + row
      matrix[at] = (matrix[at] ?? 0) + noise + (data.variances[row] ?? 0) + jitter
    }
    const lower = cholesky(matrix, size)
    if (lower === null) return { value: Number.POSITIVE_INFINITY, gradient: new Float64Array(dimensions + 2) }
    const { residuals, weighted } = fitMean(lower, data.values)
    let value = 0
    for (let row = 0; row < size; row++)
      value += 0.5 * (residuals[row] ?? 0) * (weighted[row] ?? 0) + Math.log(lower[row * size + row] ?? 1)
    const gradient = new Float64Array(dimensions + 2)
    const inverse = inverseOf(lower, size)
    for (let row = 0; row < size; row++)
      for (let column = 0; column <= row; column++) {
        const at = row * size + column
        const half = row === column ? 0.5 : 1
        const pull = half * ((inverse[at] ?? 0) - (weighted[row] ?? 0) * (weighted[column] ?? 0))
        const slope = pull * (slopes[at] ?? 0)
        for (let index = 0; index < dimensions; index++)
          gradient[index] =
            (gradient[index] ?? 0) + slope * (differences[at * dimensions + index] ?? 0) * (weights[index] ?? 0)
        gradient[dimensions] = (gradient[dimensions] ?? 0) + pull * (kernel[at] ?? 0)
        if (row === column) gradient[dimensions + 1] = (gradient[dimensions + 1] ?? 0) + pull * noise
      }
    return { value: value + addPrior(parameters, gradient, data.choices), gradient }
  }
}

/** Keeps the matrix positive definite where points nearly coincide. */
export const jitter = 1e-8

/** The constant mean by generalised least squares; the residuals, and the same times the inverse matrix. */
export function fitMean(lower: Float64Array, values: Float64Array) {
  const size = values.length
  const solve = (vector: Float64Array) => solveUpper(lower, size, solveLower(lower, size, vector))
  const ones = solve(new Float64Array(size).fill(1))
  let [above, below] = [0, 0]
  for (let row = 0; row < size; row++) {
    above += (ones[row] ?? 0) * (values[row] ?? 0)
    below += ones[row] ?? 0
  }
  const mean = above / below
  const residuals = values.map(value => value - mean)
  return { mean, residuals, weighted: solve(residuals.slice()) }
}

/**
 * The prior: lengths about a third of the cube, longer with more dimensions since the function can't depend strongly on
 * all of them (C. Hvarfner et al. 2024, "Vanilla Bayesian optimization performs great in high dimensions", ICML); a
 * variance about that of the values; hardly any noise unless the values show it.
 */
export function priorOf(choices: Choices): readonly { readonly mean: number; readonly deviation: number }[] {
  const number = { mean: Math.log(0.3) + 0.25 * Math.log(choices.length), deviation: 0.8 }
  const choice = { mean: Math.log(1), deviation: 0.8 }
  return [
    ...choices.map(isChoice => (isChoice ? choice : number)),
    { mean: 0, deviation: 1 },
    { mean: Math.log(1e-6), deviation: 2 },
  ]
}

function addPrior(parameters: Parameters, gradient: Float64Array, choices: Choices): number {
  return priorOf(choices).reduce((sum, { mean, deviation }, index) => {
    const away = ((parameters[index] ?? 0) - mean) / deviation
    gradient[index] = (gradient[index] ?? 0) + away / deviation
    return sum + 0.5 * away * away
  }, 0)
}

/** By pair of points and dimension: the differences stay the same while the parameters change. */
function differencesOf({ places, choices }: Data): Float64Array {
  const size = places.length
  const dimensions = choices.length
  const differences = new Float64Array(size * size * dimensions)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < row; column++)
      for (let index = 0; index < dimensions; index++)
        differences[(row * size + column) * dimensions + index] = squaredDifference(
          places[row]?.[index] ?? 0,
          places[column]?.[index] ?? 0,
          choices[index] ?? false,
        )
  return differences
}
