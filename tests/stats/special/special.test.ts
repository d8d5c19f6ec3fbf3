import fc from 'fast-check'
import { expect, test } from 'vitest'
import { incompleteBeta } from '../../../src/stats/special/incomplete-beta.ts'
import { incompleteGamma } from '../../../src/stats/special/incomplete-gamma.ts'
import { logGamma, logGammaRatio } from '../../../src/stats/special/log-gamma.ts'
import { log1pMinusX } from '../../../src/stats/special/log1p-minus-x.ts'
import { integratePeak } from '../../../src/stats/special/trapezoid.ts'
import { expectClose } from '../close.ts'

const positive = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })

test('log Γ of whole numbers is the logarithm of a factorial', () => {
  let factorial = 1
  for (let n = 1; n <= 20; n++) {
    expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 12)
    factorial *= n
  }
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 14)
  expect(logGamma(0)).toBeNaN()
})

test('Γ(x + 1) is x Γ(x), also as a ratio where both are beyond all numbers', () => {
  fc.assert(
    fc.property(positive(1e-3, 1e12), x => {
      expect(Math.abs(logGammaRatio(x, 1) - Math.log(x))).toBeLessThan(1e-12 * Math.max(1, Math.abs(Math.log(x))))
    }),
  )
})

test('log(1 + x) − x keeps its digits near 0', () => {
  expectClose(log1pMinusX(1e-8), -5e-17 * (1 - (2 / 3) * 1e-8), 1e-14)
  expectClose(log1pMinusX(1), Math.log(2) - 1, 1e-14)
})

test('I_x(a, 1) is xᵃ, however small', () => {
  fc.assert(
    fc.property(positive(0.1, 200), positive(1e-3, 0.999), (a, x) =>
      expectClose(incompleteBeta(a, 1, x).lower, x ** a, 1e-11),
    ),
  )
})

test('the two tails of the incomplete beta function mirror each other and add up', () => {
  fc.assert(
    fc.property(positive(0.05, 1e5), positive(0.05, 1e5), positive(0, 1), (a, b, x) => {
      const { lower, upper } = incompleteBeta(a, b, x, 1 - x)
      expect(incompleteBeta(b, a, 1 - x, x)).toEqual({ lower: upper, upper: lower })
      expect(lower + upper).toBeCloseTo(1, 12)
    }),
  )
})

test('I_½(a, a) is ½, for parameters of any size', () => {
  for (const a of [0.01, 1, 37.5, 1e4, 1e8]) expectClose(incompleteBeta(a, a, 0.5).lower, 0.5, 1e-9)
})

test('Q(1, x) is e⁻ˣ, and Q(2, x) is (1 + x) e⁻ˣ', () => {
  for (const x of [1e-6, 0.5, 3, 40, 600]) {
    expectClose(incompleteGamma(1, x).upper, Math.exp(-x), 1e-12)
    expectClose(incompleteGamma(2, x).upper, (1 + x) * Math.exp(-x), 1e-12)
  }
})

test('the area under a bell is 1, wherever the search for its peak starts', () => {
  const bell = (u: number) => -0.5 * ((u - 40) / 0.01) ** 2 - Math.log(0.01 * Math.sqrt(2 * Math.PI))
  for (const near of [40, 39, 0]) expectClose(integratePeak(bell, near, 0.5), 1, 1e-12)
})
