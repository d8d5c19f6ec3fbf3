import fc from 'fast-check'
import { expect, test } from 'vitest'
import { zeroOf } from '../../../src/stats/special/zero-of.ts'

/** Growing functions of every bend, with their zero at `zero`. */
const shapes: Readonly<Record<string, (zero: number) => (x: number) => number>> = {
  'a line': zero => x => 3 * (x - zero),
  'a cube, flat at its zero': zero => x => (x - zero) ** 3,
  'an exponential': zero => x => Math.expm1(x - zero),
  'a root': zero => x => Math.sign(x - zero) * Math.sqrt(Math.abs(x - zero)),
  'a step with infinite ends': zero => x => (x < zero - 1 ? -Infinity : x > zero + 1 ? Infinity : x - zero),
}

test.each(Object.entries(shapes))('finds the zero of %s', (_, shape) => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 1e4, noNaN: true }),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      fc.double({ min: 1.001, max: 100, noNaN: true }),
      (zero, below, above) => {
        const found = zeroOf(shape(zero), zero * (1 - below), zero * above)
        expect(Math.abs(found - zero)).toBeLessThan(1e-9 * zero)
      },
    ),
    { seed: 1 },
  )
})

test('needs few values of a smooth function', () => {
  let calls = 0
  const smooth = (x: number): number => {
    calls++
    return Math.atan(x - 2)
  }
  const found = zeroOf(smooth, 0, 30)
  expect(found).toBeCloseTo(2, 11)
  expect(calls).toBeLessThan(14)
})
