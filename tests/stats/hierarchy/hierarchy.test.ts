import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { clusteredError, clusteredInterval } from '../../../src/stats/hierarchy/clustered-error.ts'
import { crossedComponents } from '../../../src/stats/hierarchy/crossed-components.ts'
import {
  designEffect,
  effectiveSize,
  intraclassCorrelation,
} from '../../../src/stats/hierarchy/intraclass-correlation.ts'
import { pairedQuestions } from '../../../src/stats/hierarchy/paired-questions.ts'
import { varianceComponents } from '../../../src/stats/hierarchy/variance-components.ts'

describe('clusters', () => {
  test('questions asked three times each count a third', () => {
    const values = [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
    const clusters = values.map((_, at) => Math.floor(at / 3))
    const error = clusteredError(values, clusters)
    if (!isAvailable(error)) throw new Error('no error')
    // Residual sums ±1.5: √(4 · 2.25 / 144 · 4/3).
    expect(error.standardError).toBeCloseTo(Math.sqrt(1 / 12), 12)
    expect(error.effectiveSize).toBeCloseTo(12 / (1 / 12 / (3 / 11 / 12)), 9)
    expect(error.degreesOfFreedom).toBe(3)
    // t(0.975, 3) = 3.182446…
    expect(clusteredInterval(error)).toMatchObject({ low: expect.closeTo(0.5 - 3.1824463053 * Math.sqrt(1 / 12), 8) })
  })

  test('one cluster or no variance gives a reason, not an error of 0', () => {
    expect(clusteredError([1, 0, 1], ['a', 'a', 'a'])).toMatchObject({ standardError: { unavailable: 'one_cluster' } })
    expect(clusteredError([1, 1], ['a', 'b'])).toMatchObject({ standardError: { unavailable: 'zero_variance' } })
    expect(clusteredError([], [])).toEqual({ unavailable: 'no_data' })
    expect(() => clusteredError([1], [])).toThrow('a cluster for each')
  })

  test('every value its own cluster is the ordinary standard error', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 20 }), values => {
        fc.pre(new Set(values).size > 1)
        const error = clusteredError(
          values,
          values.map((_, at) => at),
        )
        if (!isAvailable(error) || !isAvailable(error.standardError)) throw new Error('no error')
        expect(error.standardError).toBeCloseTo(error.naiveError as number, 9)
      }),
    )
  })
})

describe('components', () => {
  test('tasks with different numbers of attempts', () => {
    const components = varianceComponents([[1, 3], [5], [8, 8, 11]])
    // Within: (2 + 0 + 6) / 3; task means 2, 5, 9 with variance 37/3; mean of 1/K = (1/2 + 1 + 1/3) / 3.
    const between = 37 / 3 - (8 / 3) * (11 / 18)
    expect(components).toMatchObject({
      withinVariance: expect.closeTo(8 / 3, 12),
      betweenVariance: expect.closeTo(between, 12),
      intraclassCorrelation: expect.closeTo(between / (between + 8 / 3), 12),
    })
  })

  test('one attempt each, one task, or identical values', () => {
    expect(varianceComponents([[1], [2]])).toMatchObject({
      withinVariance: { unavailable: 'too_few_values' },
      standardError: 0.5,
    })
    expect(varianceComponents([[1, 2]])).toMatchObject({
      standardError: { unavailable: 'one_cluster' },
      withinVariance: 0.5,
    })
    expect(
      varianceComponents([
        [1, 1],
        [1, 1],
      ]),
    ).toMatchObject({
      standardError: { unavailable: 'zero_variance' },
      intraclassCorrelation: { unavailable: 'zero_variance' },
    })
  })

  test('an additive table of tasks and seeds has no interaction', () => {
    const scores = [0, 10, 20].map(task => [0, 2].map(seed => [task + seed - 1, task + seed + 1]))
    // Between tasks 100, between seeds 2, between attempts 2: the noise of cells is exactly 0 here.
    expect(crossedComponents(scores)).toMatchObject({ grandMean: 11, task: 100, seed: 2, taskBySeed: 0, attempt: 2 })
  })

  test('one attempt per cell leaves its noise in the interaction; one seed leaves nothing to split', () => {
    expect(
      crossedComponents([
        [[1], [4]],
        [[2], [3]],
      ]),
    ).toMatchObject({
      attempt: { unavailable: 'too_few_values' },
      taskBySeed: 1,
    })
    expect(crossedComponents([[[1, 2]], [[2, 3]]])).toEqual({ unavailable: 'too_few_values' })
  })

  test('the ratings of Shrout and Fleiss', () => {
    const ratings = [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ]
    expect(intraclassCorrelation(ratings)).toEqual({
      estimate: expect.closeTo(0.1657417684, 9),
      low: expect.closeTo(-0.1329323249, 9),
      high: expect.closeTo(0.7225600623, 9),
    })
    expect(
      intraclassCorrelation([
        [1, 1],
        [2, 2],
      ]),
    ).toEqual({ unavailable: 'zero_variance' })
    expect(intraclassCorrelation([[1, 2]])).toEqual({ unavailable: 'one_cluster' })
  })

  test('values in clusters of 5 with a correlation of a half', () => {
    expect(designEffect(5, 0.5)).toBe(3)
    expect(effectiveSize(300, 5, 0.5)).toBe(100)
  })
})

describe('two models on the same questions', () => {
  test('agreeing on most of them saves most of the variance', () => {
    const control = [1, 0, 1, 0, 1, 0, 1, 0, 0, 0]
    const candidate = [1, 0, 1, 0, 1, 0, 1, 0, 0, 1]
    const compared = pairedQuestions(candidate, control)
    // One difference of 1 among ten: variance 0.1, standard error 0.1.
    expect(compared).toMatchObject({ difference: 0.1, pairedError: expect.closeTo(0.1, 12) })
    expect(compared).toMatchObject({ test: { z: expect.closeTo(1, 12), p: expect.closeTo(0.3173105079, 9) } })
    expect(compared).toMatchObject({ varianceReduction: expect.closeTo(1 - 0.01 / ((2.4 + 2.5) / 90), 9) })
  })

  test('questions in clusters', () => {
    const clusters = ['a', 'a', 'b', 'b']
    expect(pairedQuestions([1, 1, 0, 0], [0, 0, 0, 0], { clusters })).toMatchObject({
      // Residual sums ±1: √(2 / 16 · 2).
      pairedError: 0.5,
    })
  })

  test('the same answers everywhere have no p', () => {
    expect(pairedQuestions([1, 0], [1, 0])).toMatchObject({ difference: 0, test: { unavailable: 'zero_variance' } })
    expect(pairedQuestions([1], [0])).toMatchObject({ test: { unavailable: 'too_few_values' } })
    expect(pairedQuestions([1, 1], [0, 1])).toMatchObject({ correlation: { unavailable: 'zero_variance' } })
  })
})
