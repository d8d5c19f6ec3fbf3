import { expect, it } from 'vitest'
import { largestOf, smallestOf } from '../../src/util/collections.ts'

it('finds the largest and the smallest of half a million values', () => {
  const values = Array.from({ length: 500_000 }, (_, at) => (at * 7919) % 500_000)
  expect(largestOf(values)).toBe(499_999)
  expect(smallestOf(values)).toBe(0)
})

it('equals Math.max and Math.min without values', () => {
  expect(largestOf([])).toBe(Math.max())
  expect(smallestOf([])).toBe(Math.min())
})
