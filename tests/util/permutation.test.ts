import fc from 'fast-check'
import { expect, test } from 'vitest'
import { permutation } from '../../src/util/random.ts'

const positions = (size: number) => Array.from({ length: size }, (_, position) => position)

test('every item comes exactly once, whatever the size and seed', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 4000, max: 9000 })),
      fc.integer(),
      (size, seed) => {
        const items = new Set(positions(size).map(permutation(size, seed)))
        expect(items.size).toBe(size)
        expect(Math.min(...items)).toBe(0)
        expect(Math.max(...items)).toBe(size - 1)
      },
    ),
  )
})

test('all orders of few items are about equally likely', () => {
  const seen = new Map<string, number>()
  for (let seed = 0; seed < 6000; seed++) {
    const order = positions(3).map(permutation(3, seed)).join('')
    seen.set(order, (seen.get(order) ?? 0) + 1)
  }
  expect(seen.size).toBe(6)
  for (const times of seen.values()) expect(Math.abs(times - 1000)).toBeLessThan(150)
})

test('many items are well mixed: neighbours end far apart, and position is unrelated to the item', () => {
  const size = 100_000
  const items = positions(size).map(permutation(size, 42))
  const mean = (size - 1) / 2
  const correlation = (lag: number) =>
    items.slice(lag).reduce((sum, item, at) => sum + (item - mean) * ((items[at] ?? 0) - mean), 0) /
    (size * (size ** 2 / 12))
  expect(Math.abs(correlation(1))).toBeLessThan(0.02)
  const withPosition = items.reduce((sum, item, at) => sum + (item - mean) * (at - mean), 0) / (size * (size ** 2 / 12))
  expect(Math.abs(withPosition)).toBeLessThan(0.02)
})

test('huge sizes work without storing anything', () => {
  for (const size of [2 ** 40, 2 ** 53 - 1]) {
    const order = permutation(size, 1)
    const items = new Set(positions(1000).map(order))
    expect(items.size).toBe(1000)
    for (const item of items) expect(Number.isSafeInteger(item) && item >= 0 && item < size).toBe(true)
  }
})
