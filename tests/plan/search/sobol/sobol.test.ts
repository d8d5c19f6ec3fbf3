import { describe, expect, test } from 'vitest'
import { directionNumbers, mostDimensions } from '../../../../src/plan/search/sobol/direction-numbers.ts'
import { sobolBits, sobolSequence } from '../../../../src/plan/search/sobol/sobol.ts'

const plain = (dimension: number, index: number) =>
  sobolBits(directionNumbers(dimension), index ^ (index >>> 1)) / 2 ** 32

describe('the Sobol sequence', () => {
  test('unscrambled, equals scipy.stats.qmc.Sobol', () => {
    const rows = Array.from({ length: 8 }, (_, index) => [0, 1, 2, 3, 4].map(dimension => plain(dimension, index)))
    expect(rows).toEqual([
      [0, 0, 0, 0, 0],
      [0.5, 0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25, 0.75],
      [0.25, 0.75, 0.75, 0.75, 0.25],
      [0.375, 0.375, 0.625, 0.875, 0.375],
      [0.875, 0.875, 0.125, 0.375, 0.875],
      [0.625, 0.125, 0.875, 0.625, 0.625],
      [0.125, 0.625, 0.375, 0.125, 0.125],
    ])
    expect([2, 20, 40, 62].map(dimension => plain(dimension, 5))).toEqual([0.125, 0.625, 0.375, 0.375])
  })

  test.each([1, 2, 3])('scrambled with seed %i, has one point in each of 64 slices of each of 64 dimensions', seed => {
    const sequence = sobolSequence(mostDimensions, seed)
    const points = Array.from({ length: 64 }, (_, index) => sequence(index))
    for (let dimension = 0; dimension < mostDimensions; dimension++)
      expect(new Set(points.map(point => Math.floor((point[dimension] ?? 0) * 64))).size).toBe(64)
  })

  test('in pairs of dimensions it is even too: 16 points, one in each of 4 × 4 squares', () => {
    const sequence = sobolSequence(2, 5)
    const squares = Array.from({ length: 16 }, (_, index) => sequence(index)).map(
      ([x = 0, y = 0]) => Math.floor(x * 4) * 4 + Math.floor(y * 4),
    )
    expect(new Set(squares).size).toBe(16)
  })

  test('continues beyond its table', () => {
    const point = sobolSequence(mostDimensions + 5, 1)(3)
    expect(point).toHaveLength(mostDimensions + 5)
    expect(point.every(place => place > 0 && place < 1)).toBe(true)
  })
})
