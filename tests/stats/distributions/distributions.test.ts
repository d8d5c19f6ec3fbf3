import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { betaCdf, betaQuantile, betaQuantilePair, betaSurvival } from '../../../src/stats/distributions/beta.ts'
import {
  binomialCdf,
  binomialProbability,
  binomialQuantile,
  binomialSurvival,
} from '../../../src/stats/distributions/binomial.ts'
import { chiSquaredCdf, chiSquaredQuantile, chiSquaredSurvival } from '../../../src/stats/distributions/chi-squared.ts'
import { fisherFQuantile, fisherFSurvival } from '../../../src/stats/distributions/fisher-f.ts'
import { hypergeometricProbability } from '../../../src/stats/distributions/hypergeometric.ts'
import { noncentralTCdf, noncentralTSurvival } from '../../../src/stats/distributions/noncentral-t.ts'
import {
  logNormalSurvival,
  normalCdf,
  normalQuantile,
  normalSurvival,
} from '../../../src/stats/distributions/normal.ts'
import {
  studentTCdf,
  studentTQuantile,
  studentTSurvival,
  studentTUpperQuantile,
} from '../../../src/stats/distributions/student-t.ts'
import { studentizedRangeCdf, studentizedRangeQuantile } from '../../../src/stats/distributions/studentized-range.ts'
import { incompleteBeta } from '../../../src/stats/special/incomplete-beta.ts'
import { expectClose } from '../close.ts'

const between = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })
/** Probabilities down to 1e-40, as often small as not. */
const probability = between(-40, -0.302).map(power => 10 ** power)

describe('normal', () => {
  test('known tails', () => {
    // Asymptotic series of the tail, to the last digit at these distances.
    const tail = (z: number) =>
      (Math.exp((-z * z) / 2) / (z * Math.sqrt(2 * Math.PI))) *
      (1 - z ** -2 + 3 * z ** -4 - 15 * z ** -6 + 105 * z ** -8 - 945 * z ** -10)
    expectClose(normalSurvival(30), tail(30), 1e-13)
    expectClose(normalSurvival(20), tail(20), 1e-11)
    expect(normalCdf(0)).toBe(0.5)
    expect(normalCdf(Infinity)).toBe(1)
    expect(normalCdf(-Infinity)).toBe(0)
    expect(normalCdf(Number.NaN)).toBeNaN()
    expectClose(logNormalSurvival(100), -5005.5242086942, 1e-12)
  })

  test('the logarithm of a tail agrees with the tail', () => {
    for (let z = -8; z < 37; z += 0.0173) expectClose(Math.exp(logNormalSurvival(z)), normalSurvival(z), 3e-13)
    // Where the tail is all but 1 its logarithm is the other tail.
    for (const z of [-9, -11, -20, -37]) expectClose(logNormalSurvival(z), -normalCdf(z), 1e-12)
  })

  test('quantile and distribution function undo each other', () => {
    fc.assert(fc.property(probability, p => expectClose(normalCdf(normalQuantile(p)), p, 1e-11)))
    expect(normalQuantile(0)).toBe(-Infinity)
    expect(normalQuantile(1)).toBe(Infinity)
    expect(normalQuantile(1.1)).toBeNaN()
  })
})

describe('Student t', () => {
  test('one and two degrees of freedom have closed forms', () => {
    for (const t of [0.001, 0.7, 12.7, 1e4, 1e8]) {
      expectClose(studentTSurvival(t, 1), Math.atan(1 / t) / Math.PI, 1e-12)
      const root = Math.sqrt(2 + t * t)
      expectClose(studentTSurvival(t, 2), 1 / (root * (root + t)), 1e-12)
    }
  })

  test('becomes normal with more degrees of freedom, without a jump', () => {
    for (const t of [0.5, 3, 20]) {
      expectClose(studentTSurvival(t, Infinity), normalSurvival(t), 1e-15)
      expectClose(studentTSurvival(t, 0.99e10), studentTSurvival(t, 1.01e10), 1e-6)
      expectClose(studentTSurvival(t, 1e15), normalSurvival(t), 1e-9)
    }
  })

  test('quantile and distribution function undo each other', () => {
    fc.assert(
      fc.property(probability, between(0.5, 1e6), (p, df) =>
        expectClose(studentTSurvival(studentTUpperQuantile(p, df), df), p, 1e-9),
      ),
    )
    expect(studentTQuantile(0.5, 3)).toBe(0)
    expect(studentTQuantile(1, 3)).toBe(Infinity)
    expect(studentTCdf(-2, 5)).toBe(studentTSurvival(2, 5))
  })
})

describe('beta, χ² and F', () => {
  test('quantile and distribution function undo each other', () => {
    fc.assert(
      fc.property(between(1e-6, 1 - 1e-6), between(0.3, 1e4), between(0.3, 1e4), (p, a, b) => {
        // A quantile near 1 is known by its distance from 1.
        const { x, y } = betaQuantilePair(p, 1 - p, a, b)
        expectClose(incompleteBeta(a, b, x, y).lower, p, 1e-9)
        expect(betaQuantile(p, a, b)).toBe(x)
        expectClose(betaCdf(x, a, b) + betaSurvival(x, a, b), 1)
        expectClose(chiSquaredCdf(chiSquaredQuantile(p, a), a), p, 1e-9)
        expectClose(1 - fisherFSurvival(fisherFQuantile(p, a, b), a, b), p, 1e-8)
      }),
    )
  })

  test('two degrees of freedom have closed forms', () => {
    expectClose(chiSquaredSurvival(1000, 2), Math.exp(-500), 1e-12)
    expectClose(fisherFSurvival(7, 2, 9), (1 + 14 / 9) ** -4.5, 1e-12)
    expectClose(fisherFSurvival(3, 4, Infinity), chiSquaredSurvival(12, 4), 1e-14)
  })
})

describe('counts', () => {
  test('binomial probabilities add up to the distribution function', () => {
    let sum = 0
    for (let k = 0; k <= 40; k++) {
      sum += binomialProbability(k, 40, 0.3)
      expectClose(binomialCdf(k, 40, 0.3), sum, 1e-12)
    }
    expect(binomialProbability(0, 5, 0)).toBe(1)
    expect(binomialProbability(5, 5, 1)).toBe(1)
    expect(binomialSurvival(5, 5, 0.4)).toBe(0)
    expect(binomialQuantile(0.5, 10, 0.5)).toBe(5)
  })

  test('hypergeometric probabilities are ratios of counts', () => {
    // 3 of the 4 marked among 5 drawn out of 10: C(4,3) C(6,2) / C(10,5).
    expectClose(hypergeometricProbability(3, 4, 6, 5), 60 / 252, 1e-13)
    expect(hypergeometricProbability(0, 4, 6, 0)).toBe(1)
    expect(hypergeometricProbability(4, 4, 6, 10)).toBe(1)
  })
})

describe('noncentral t', () => {
  test('without a shift it is Student t; at 0 it is a normal tail', () => {
    for (const df of [1, 2.5, 14, 400, 1e6]) {
      for (const t of [-3, 0.2, 2, 9]) expectClose(noncentralTSurvival(t, df, 0), studentTSurvival(t, df), 1e-9)
      expectClose(noncentralTSurvival(0, df, 1.3), normalCdf(1.3), 1e-12)
    }
  })

  test('both tails add up, and swapping signs swaps them', () => {
    fc.assert(
      fc.property(between(-20, 20), between(1, 1e4), between(-20, 20), (t, df, shift) => {
        const upper = noncentralTSurvival(t, df, shift)
        expect(upper + noncentralTCdf(t, df, shift)).toBeCloseTo(1, 10)
        expect(noncentralTCdf(-t, df, -shift)).toBeCloseTo(upper, 10)
      }),
    )
  })

  test('shifts at which series underflow still have an answer', () => {
    expect(noncentralTSurvival(60, 20, 60)).toBeGreaterThan(0.4)
    expect(noncentralTSurvival(60, 20, 60)).toBeLessThan(0.6)
    expect(noncentralTCdf(2, 50, 45)).toBeLessThan(1e-100)
    // With one degree of freedom and a shift far larger than 1, T is shift / |Z|.
    expectClose(noncentralTSurvival(1e6, 1, 1.3e5), 2 * normalCdf(0.13) - 1, 1e-9)
  })
})

test('the range of two normal values is a normal difference', () => {
  for (const q of [0.5, 2.7, 6]) {
    expectClose(studentizedRangeCdf(q, 2), 2 * normalCdf(q / Math.SQRT2) - 1, 1e-11)
    expectClose(studentizedRangeCdf(q, 2, 7), 2 * studentTCdf(q / Math.SQRT2, 7) - 1, 1e-10)
  }
  expectClose(studentizedRangeCdf(studentizedRangeQuantile(0.95, 6), 6), 0.95, 1e-11)
})
