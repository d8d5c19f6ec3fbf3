import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naturalOrder } from '../../src/util/natural-order.ts'

it('sorts names as people do: by their numbers, whatever the case', () => {
  const names = ['row 10', 'Row 2', 'row 2', 'row', 'a', 'B', 'c-1', 'c-02', 'c-2', 'row 2 b', '10', '9', '']
  expect(names.toSorted(naturalOrder)).toEqual([
    ...['', '9', '10', 'a', 'B', 'c-1', 'c-02', 'c-2'],
    ...['row', 'Row 2', 'row 2', 'row 2 b', 'row 10'],
  ])
})

it('sorts decimals by value, and versions by their parts', () => {
  const names = ['lr=0.5', 'lr=0.25', 'lr=0.125', 'v1.10.0', 'v1.9.2']
  expect(names.toSorted(naturalOrder)).toEqual(['lr=0.125', 'lr=0.25', 'lr=0.5', 'v1.9.2', 'v1.10.0'])
})

it('the order of names is an order', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '1', '0', '.', '-', ' ') })
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(naturalOrder(a, b)) + Math.sign(naturalOrder(b, a))).toBe(0)
      expect(naturalOrder(a, b) === 0).toBe(a === b)
      if (naturalOrder(a, b) < 0 && naturalOrder(b, c) < 0) expect(naturalOrder(a, c)).toBeLessThan(0)
    }),
  )
})
