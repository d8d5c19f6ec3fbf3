/** Square matrices row by row in one array. */

/** The lower triangle L with L Lᵀ = the matrix, written over it; null if the matrix is not positive definite. */
export function cholesky(matrix: Float64Array, size: number): Float64Array | null {
  for (let row = 0; row < size; row++) {
    const start = row * size
    for (let column = 0; column <= row; column++) {
      const other = column * size
      let sum = matrix[start + column] ?? 0
      for (let k = 0; k < column; k++) sum -= (matrix[start + k] ?? 0) * (matrix[other + k] ?? 0)
      if (row !== column) matrix[start + column] = sum / (matrix[other + column] ?? 1)
      else if (sum > 0) matrix[start + row] = Math.sqrt(sum)
      else return null
    }
  }
  return matrix
}

/** x with L x = b, written over b. */
export function solveLower(lower: Float64Array, size: number, b: Float64Array): Float64Array {
  for (let row = 0; row < size; row++) {
    const start = row * size
    let sum = b[row] ?? 0
    for (let k = 0; k < row; k++) sum -= (lower[start + k] ?? 0) * (b[k] ?? 0)
    b[row] = sum / (lower[start + row] ?? 1)
  }
  return b
}

/** x with Lᵀ x = b, written over b. Row by row, in the memory order of the matrix. */
export function solveUpper(lower: Float64Array, size: number, b: Float64Array): Float64Array {
  for (let row = size - 1; row >= 0; row--) {
    const start = row * size
    const value = (b[row] ?? 0) / (lower[start + row] ?? 1)
    b[row] = value
    for (let k = 0; k < row; k++) b[k] = (b[k] ?? 0) - (lower[start + k] ?? 0) * value
  }
  return b
}

/** The inverse of L Lᵀ, both halves filled in. */
export function inverseOf(lower: Float64Array, size: number): Float64Array {
  const half = inverseOfLower(lower, size)
  const inverse = new Float64Array(size * size)
  for (let k = 0; k < size; k++)
    for (let row = 0; row <= k; row++) {
      const factor = half[k * size + row] ?? 0
      const start = row * size
      for (let column = 0; column <= row; column++)
        inverse[start + column] = (inverse[start + column] ?? 0) + factor * (half[k * size + column] ?? 0)
    }
  for (let row = 0; row < size; row++)
    for (let column = 0; column < row; column++) inverse[column * size + row] = inverse[row * size + column] ?? 0
  return inverse
}

function inverseOfLower(lower: Float64Array, size: number): Float64Array {
  const half = new Float64Array(size * size)
  for (let row = 0; row < size; row++) {
    const start = row * size
    const pivot = 1 / (lower[start + row] ?? 1)
    for (let k = 0; k < row; k++) {
      const factor = -(lower[start + k] ?? 0) * pivot
      const from = k * size
      for (let column = 0; column <= k; column++)
        half[start + column] = (half[start + column] ?? 0) + factor * (half[from + column] ?? 0)
    }
    half[start + row] = pivot
  }
  return half
}
