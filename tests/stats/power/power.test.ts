import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalQuantile } from '../../../src/stats/distributions/normal.ts'
import { isAvailable, unavailable } from '../../../src/stats/estimate.ts'
import { cheapestPlan, questionsDetect, questionsNeeded } from '../../../src/stats/power/eval-questions.ts'
import { sampleSizeForHalfWidth, sdInterval } from '../../../src/stats/power/half-width.ts'
import { mcnemarPower, mcnemarSampleSize } from '../../../src/stats/power/mcnemar.ts'
import { pairsByNormalApproximation } from '../../../src/stats/power/normal-approximation.ts'
import { runsFromPilot } from '../../../src/stats/power/pilot.ts'
import { powerFromPilotGroups, powerFromPilotPairs, simulatedPower } from '../../../src/stats/power/resampling.ts'
import { minimumDetectableEffect, tTestPower, tTestSampleSize } from '../../../src/stats/power/t-test.ts'
import { cohensH, twoProportionsPower, twoProportionsSampleSize } from '../../../src/stats/power/two-proportions.ts'
import { pairedTTest } from '../../../src/stats/tests/means/paired-t.ts'
import { welchTest } from '../../../src/stats/tests/means/welch.ts'
import { mcnemarTest } from '../../../src/stats/tests/proportions/mcnemar.ts'
import { expectClose, given, steadyRandom } from '../close.ts'

describe('t test', () => {
  test('without an effect the power is alpha', () => {
    for (const n of [2, 5, 1000])
      for (const alternative of ['two-sided', 'greater', 'less'] as const)
        expectClose(given(tTestPower(0, { kind: 'paired', n }, { alpha: 0.01, alternative })), 0.01, 1e-9)
  })

  test('simulated experiments are as often significant as computed', () => {
    const random = steadyRandom(7)
    const normal = () => normalQuantile(random() || 0.5)
    const { interval } = simulatedPower(
      () => {
        const a = Array.from({ length: 12 }, () => normal() + 0.9)
        const test = pairedTTest(
          a,
          a.map(() => 0),
        )
        return isAvailable(test) && test.p < 0.05
      },
      { trials: 4000, random },
    )
    const exact = given(tTestPower(0.9, { kind: 'paired', n: 12 }))
    expect(exact).toBeGreaterThan(interval.low - 0.01)
    expect(exact).toBeLessThan(interval.high + 0.01)
  })

  test('the sample size is the first whole number that has the power', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 3, noNaN: true }),
        fc.double({ min: 0.3, max: 0.99, noNaN: true }),
        fc.constantFrom<'paired' | 'independent'>('paired', 'independent'),
        (effect, power, kind) => {
          const size = given(tTestSampleSize(effect, { kind }, power))
          expect(size.power).toBeGreaterThanOrEqual(power - 1e-9)
          if (size.n > 2) expect(given(tTestPower(effect, { kind, n: size.n - 1 }))).toBeLessThan(power)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('the detectable effect has the requested power', () => {
    for (const alternative of ['two-sided', 'greater', 'less'] as const) {
      const design = { kind: 'independent', n: 15, ratio: 2 } as const
      const effect = given(minimumDetectableEffect(design, 0.8, { alternative }))
      expectClose(given(tTestPower(effect, design, { alternative })), 0.8, 1e-9)
      expect(effect < 0).toBe(alternative === 'less')
    }
  })

  test('gives a reason for what can’t be planned', () => {
    expect(tTestSampleSize(0, { kind: 'paired' }, 0.8)).toEqual(unavailable('zero_effect'))
    expect(tTestSampleSize(0.5, { kind: 'paired' }, 0.8, { alternative: 'less' })).toEqual(unavailable('unreachable'))
    expect(tTestPower(0.5, { kind: 'paired', n: 1 })).toEqual(unavailable('too_few_values'))
    expect(minimumDetectableEffect({ kind: 'paired', n: 1 }, 0.8)).toEqual(unavailable('too_few_values'))
    expect(() => tTestSampleSize(0.5, { kind: 'paired' }, 80)).toThrow('power')
  })
})

describe('proportions and questions', () => {
  test('n by the arcsine has the requested power', () => {
    const { arcsine } = given(twoProportionsSampleSize(0.8, 0.7, { power: 0.9 }))
    expectClose(twoProportionsPower(0.8, 0.7, arcsine), 0.9, 1e-6)
    expectClose(cohensH(1, 0), Math.PI)
    expect(twoProportionsSampleSize(0.5, 0.5)).toEqual(unavailable('zero_effect'))
  })

  test('McNemar power is the share of all tables that reject', () => {
    const [onlyA, onlyB, n] = [0.35, 0.1, 9]
    const choose = (m: number, k: number): number => (k === 0 ? 1 : (choose(m - 1, k - 1) * m) / k)
    let power = 0
    for (let b = 0; b <= n; b++)
      for (let c = 0; b + c <= n; c++) {
        const test = mcnemarTest(b, c)
        if (!isAvailable(test) || test.exact.twoSided > 0.1) continue
        power += choose(n, b) * choose(n - b, c) * onlyA ** b * onlyB ** c * (1 - onlyA - onlyB) ** (n - b - c)
      }
    expectClose(mcnemarPower({ onlyA, onlyB }, n, 0.1), power, 1e-10)
  })

  test('Connor’s number of items has about the power of the exact test', () => {
    const shares = { onlyA: 0.2, onlyB: 0.1 }
    const n = Math.ceil(given(mcnemarSampleSize(shares)))
    expect(mcnemarPower(shares, n)).toBeGreaterThan(0.74)
    expect(mcnemarPower(shares, n)).toBeLessThan(0.82)
    expect(mcnemarSampleSize({ onlyA: 0.1, onlyB: 0.1 })).toEqual(unavailable('zero_effect'))
  })

  test('questions needed and difference detected undo each other', () => {
    const variances = { between: 0.1, withinA: 0.2, withinB: 0.15 }
    const options = { answersA: 3, answersB: 2, power: 0.9 }
    const n = given(questionsNeeded(variances, 0.04, options))
    expectClose(questionsDetect(variances, n, options), 0.04)
  })

  test('expensive questions are answered more often, and no other number of answers is cheaper', () => {
    const variances = { between: 0.02, withinA: 0.2, withinB: 0.2 }
    const cheap = given(cheapestPlan(variances, 0.05, { question: 0, answerA: 1, answerB: 1 }))
    const dear = given(cheapestPlan(variances, 0.05, { question: 50, answerA: 1, answerB: 1 }))
    expect(cheap.answers).toBe(1)
    expect(dear.answers).toBeGreaterThan(5)
    for (let answers = 1; answers <= 40; answers++) {
      const n = Math.ceil(given(questionsNeeded(variances, 0.05, { answersA: answers, answersB: answers })))
      expect(n * (50 + 2 * answers)).toBeGreaterThanOrEqual(dear.cost)
    }
    const few = { mostQuestions: 10 }
    expect(cheapestPlan(variances, 0.05, { question: 1, answerA: 1, answerB: 1 }, few)).toEqual(
      unavailable('unreachable'),
    )
  })
})

describe('width and simulation', () => {
  test('the number for a half-width is enough, and one less is not', () => {
    expect(sampleSizeForHalfWidth(1, 0.5)).toBe(18)
    expect(sampleSizeForHalfWidth(1, 100)).toBe(2)
    expect(sampleSizeForHalfWidth(0, 1)).toEqual(unavailable('zero_variance'))
  })

  test('a pilot of five determines the sd within a factor of nearly five', () => {
    const { low, high } = given(sdInterval(1, 5))
    expect(low).toBeCloseTo(0.5991, 4)
    expect(high).toBeCloseTo(2.8736, 4)
    expect(pairsByNormalApproximation(0, 1)).toEqual(unavailable('zero_effect'))
  })

  test('runs planned from a pilot of five are determined within a factor of twenty', () => {
    const { n, low, high } = given(runsFromPilot(2, { sd: 4, runs: 5 }, { kind: 'independent' }))
    expect(n).toBe(64)
    expect(low).toBe(given(tTestSampleSize(0.5 / 0.59912, { kind: 'independent' }, 0.8)).n)
    expect(high / low).toBeGreaterThan(15)
    expect(runsFromPilot(2, { sd: 0, runs: 5 }, { kind: 'paired' })).toEqual(unavailable('zero_variance'))
    expect(runsFromPilot(0, { sd: 1, runs: 5 }, { kind: 'paired' })).toEqual(unavailable('zero_effect'))
  })

  test('a pilot shifted to a large effect is detected, one shifted to 0 rarely', () => {
    const pilot = [0.4, 1.9, -0.7, 0.2, 1.1, -1.5, 0.6, -0.3]
    const isSignificant = (d: readonly number[]) => {
      const test = pairedTTest(
        d,
        d.map(() => 0),
      )
      return isAvailable(test) && test.p < 0.05
    }
    const simulation = { trials: 400, random: steadyRandom(3) }
    expect(given(powerFromPilotPairs(pilot, { effect: 3, n: 10 }, isSignificant, simulation)).power).toBeGreaterThan(
      0.95,
    )
    expect(given(powerFromPilotPairs(pilot, { effect: 0, n: 10 }, isSignificant, simulation)).power).toBeLessThan(0.12)
    const differ = (a: readonly number[], b: readonly number[]) => {
      const test = welchTest(a, b)
      return isAvailable(test) && test.p < 0.05
    }
    const groups = powerFromPilotGroups(pilot, pilot, { effect: 3, nA: 10, nB: 12 }, differ, simulation)
    expect(given(groups).power).toBeGreaterThan(0.95)
    expect(powerFromPilotPairs([1], { effect: 1, n: 5 }, isSignificant, simulation)).toEqual(
      unavailable('too_few_values'),
    )
  })
})
