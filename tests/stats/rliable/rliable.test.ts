import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bootstrapInterval } from '../../../src/stats/bootstrap/bootstrap-interval.ts'
import { standardDeviationStatistic } from '../../../src/stats/bootstrap/resample/statistic.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import {
  fractionalInterquartileMean,
  interquartileMean,
  meanScore,
  medianScore,
} from '../../../src/stats/rliable/aggregate.ts'
import { aggregateScores } from '../../../src/stats/rliable/aggregate-scores.ts'
import { performanceProfile, performanceProfileBand } from '../../../src/stats/rliable/performance-profile.ts'
import { probabilityOfImprovement, resampleImprovement } from '../../../src/stats/rliable/probability-of-improvement.ts'
import { resampleScoreDifference, resampleScores } from '../../../src/stats/rliable/stratified-bootstrap.ts'
import { expectWithin } from '../close.ts'

const options = () => ({ random: counterRandom(3), resamples: 4000 })

test('aggregates of a table by hand', () => {
  const answer = aggregateScores([
    [0, 4],
    [2, 10],
  ])
  expect(answer).toMatchObject({
    mean: 4,
    median: 4,
    interquartileMean: 3,
    fractionalInterquartileMean: 3,
    optimalityGap: 0.25,
  })
})

test('missing cells are left out and counted, never taken for 0', () => {
  const answer = aggregateScores([
    [1, null, null],
    [3, 5, null],
  ])
  expect(answer).toMatchObject({ mean: 3.5, tasks: 2, missing: 3, emptyTasks: [2] })
  expect(aggregateScores([[null]])).toEqual({ unavailable: 'no_data' })
  expect(aggregateScores([[Number.NaN, 1]])).toEqual({ unavailable: 'not_a_number' })
  expect(() => aggregateScores([[1, 2], [1]])).toThrow('every task in every run')
})

test('interquartile means: both kinds agree where a quarter is a whole number, and lie between the ends', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 1, maxLength: 24 }), scores => {
      const tasks = [Float64Array.from(scores)]
      const [whole, fractional] = [interquartileMean(tasks), fractionalInterquartileMean(tasks)]
      if (scores.length % 4 === 0) expect(whole).toBeCloseTo(fractional, 9)
      for (const value of [whole, fractional, medianScore(tasks), meanScore(tasks)]) {
        expect(value).toBeGreaterThanOrEqual(Math.min(...scores) - 1e-9)
        expect(value).toBeLessThanOrEqual(Math.max(...scores) + 1e-9)
      }
    }),
  )
})

describe('resampling runs within tasks', () => {
  const table = [
    [0, 100],
    [2, 104],
    [4, 108],
  ]
  test('differences between tasks add no spread, unless tasks are drawn too', () => {
    const within = resampleScores(table, meanScore, options())
    const across = resampleScores(table, meanScore, { ...options(), resampleTasks: true })
    if (!isAvailable(within) || !isAvailable(across)) throw new Error('no resamples')
    // Means of 3 with variances 8/9 and 32/9, half the weight each.
    const sd = Math.sqrt(40 / 36)
    expectWithin(standardDeviationStatistic(within.distribution), sd, sd / Math.sqrt(2 * 4000))
    expect(standardDeviationStatistic(across.distribution)).toBeGreaterThan(20)
  })

  test('unequal numbers of runs are supported; a single run per task gives no interval', () => {
    const uneven = resampleScores(
      [
        [1, 2],
        [3, null],
        [5, 4],
      ],
      medianScore,
      options(),
    )
    expect(isAvailable(uneven)).toBe(true)
    expect(resampleScores([[1, 2]], meanScore, options())).toEqual({ unavailable: 'too_few_values' })
    expect(
      resampleScores(
        [
          [1, 2],
          [1, 2],
        ],
        meanScore,
        options(),
      ),
    ).toEqual({ unavailable: 'zero_variance' })
  })

  test('a difference has the spread of both sides and can be BCa-corrected', () => {
    const lifted = table.map(row => row.map(score => score + 50))
    const difference = resampleScoreDifference(lifted, table, interquartileMean, options())
    if (!isAvailable(difference)) throw new Error('no resamples')
    expect(difference.estimate).toBe(50)
    const interval = bootstrapInterval(difference, { method: 'bca' })
    expect(isAvailable(interval) && interval.low < 50 && interval.high > 50).toBe(true)
  })
})

describe('probability of improvement', () => {
  test('ties count half, tasks without runs on one side are named', () => {
    const candidate = [
      [1, 5, 1],
      [2, 5, 1],
    ]
    const control = [
      [1, 5, null],
      [1, 9, null],
    ]
    expect(probabilityOfImprovement(candidate, control)).toEqual({
      estimate: 0.5,
      perTask: [0.75, 0.25],
      excluded: [2],
    })
  })

  test('is one half against itself, and complementary when swapped', () => {
    const scores = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(scores, scores, (one, other) => {
        const there = probabilityOfImprovement(one, other)
        const back = probabilityOfImprovement(other, one)
        if (!isAvailable(there) || !isAvailable(back)) throw new Error('no answer')
        expect(there.estimate + back.estimate).toBeCloseTo(1, 12)
        expect(probabilityOfImprovement(one, one)).toMatchObject({ estimate: 0.5 })
      }),
    )
  })

  test('resampled, it scatters around its estimate', () => {
    const resampled = resampleImprovement([[1], [4], [3]], [[2], [0], [5]], options())
    if (!isAvailable(resampled)) throw new Error('no resamples')
    const interval = bootstrapInterval(resampled)
    expect(isAvailable(interval) && interval.low < resampled.estimate && interval.high > resampled.estimate).toBe(true)
    expect(isAvailable(bootstrapInterval(resampled, { method: 'bca' }))).toBe(true)
    expect(resampleImprovement([[1]], [[2]], options())).toEqual({ unavailable: 'too_few_values' })
  })
})

describe('profiles', () => {
  const table = [
    [0, 10],
    [5, 10],
  ]
  test('the share strictly above each threshold, of runs and of tasks', () => {
    expect(performanceProfile(table, [-1, 0, 4, 10])).toMatchObject({
      ofRuns: [1, 0.75, 0.75, 0],
      ofTasks: [1, 1, 0.5, 0],
    })
  })

  test('the band for the whole profile holds every pointwise one or more, within 0 and 1', () => {
    const scores = Array.from({ length: 8 }, (_, run) => [Math.sin(run), Math.cos(2 * run), Math.sin(5 * run)])
    const band = performanceProfileBand(scores, [-0.5, 0, 0.5], options())
    if (!isAvailable(band)) throw new Error('no band')
    band.simultaneous.forEach((joint, at) => {
      const single = band.pointwise[at]
      expect(joint.high - joint.low).toBeGreaterThanOrEqual((single?.high ?? 0) - (single?.low ?? 0) - 1e-9)
      expect(joint.low).toBeGreaterThanOrEqual(0)
      expect(joint.high).toBeLessThanOrEqual(1)
    })
    expect(performanceProfileBand([[1, 2]], [0], options())).toEqual({ unavailable: 'too_few_values' })
  })
})
