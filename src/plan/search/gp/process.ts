import { covariance, type Lengths } from './kernel.ts'
import { type Data, fitMean, jitter, objectiveOf, type Parameters, priorOf } from './likelihood.ts'
import { cholesky, solveLower } from './linear-algebra.ts'
import { minimize } from './minimize.ts'

/** A Gaussian process fitted to data: the prediction at any place, and its uncertainty. */
export interface Process {
  predict(places: Float64Array): { readonly mean: number; readonly deviation: number }
}

export function processOf(data: Data, parameters: Parameters): Process {
  const size = data.values.length
  const dimensions = data.choices.length
  const lengths: Lengths = {
    inverseSquares: parameters.slice(0, dimensions).map(log => Math.exp(-2 * log)),
    variance: Math.exp(parameters[dimensions] ?? 0),
  }
  const noise = Math.exp(parameters[dimensions + 1] ?? 0)
  const lower = triangle(data, lengths, noise)
  const { mean, weighted } = fitMean(lower, data.values)
  const column = new Float64Array(size)
  return {
    predict(places) {
      let expected = mean
      for (let row = 0; row < size; row++) {
        const like = covariance(data.places[row] ?? places, places, data.choices, lengths)
        column[row] = like
        expected += like * (weighted[row] ?? 0)
      }
      solveLower(lower, size, column)
      let known = 0
      for (let row = 0; row < size; row++) known += (column[row] ?? 0) ** 2
      return { mean: expected, deviation: Math.sqrt(Math.max(1e-12, lengths.variance - known)) }
    },
  }
}

/** With more jitter until the matrix can be factorised. */
function triangle(data: Data, lengths: Lengths, noise: number): Float64Array {
  const { places, variances, choices } = data
  const size = places.length
  for (let extra = jitter; ; extra *= 100) {
    const matrix = new Float64Array(size * size)
    for (let row = 0; row < size; row++) {
      const one = places[row]
      if (one === undefined) continue
      for (let column = 0; column <= row; column++)
        matrix[row * size + column] = covariance(one, places[column] ?? one, choices, lengths)
      matrix[row * size + row] = lengths.variance + noise + (variances[row] ?? 0) + extra
    }
    const lower = cholesky(matrix, size)
    if (lower !== null) return lower
  }
}

/** The most probable parameters given the data, starting from the previous ones and from the prior. */
export function fitParameters(data: Data, before: Parameters | null): Parameters {
  const objective = objectiveOf(data)
  const prior = Float64Array.from(priorOf(data.choices), ({ mean }) => mean)
  const short = prior.map((log, index) => (index < data.choices.length ? log - 1 : log))
  const starts = before === null ? [prior, short] : [before, prior]
  return starts
    .map(start => minimize(objective, start, iterations))
    .reduce((best, one) => (one.value < best.value ? one : best)).at
}

const iterations = 30
