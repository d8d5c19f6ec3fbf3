import { describe, expect, test } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { calibration } from '../../../src/stats/scores/calibration.ts'
import { costPerSuccess } from '../../../src/stats/scores/cost-per-success.ts'
import { timeToSuccess } from '../../../src/stats/scores/survival.ts'

describe('calibration', () => {
  test('four forecasts by hand', () => {
    const answer = calibration([0.9, 0.8, 0.2, 0.6], [1, 1, 0, 0], { bins: 2 })
    expect(answer).toMatchObject({
      brier: expect.closeTo((0.01 + 0.04 + 0.04 + 0.36) / 4, 12),
      brierSkill: expect.closeTo(1 - 0.1125 / 0.25, 12),
      logLoss: expect.closeTo(-(Math.log(0.9) + Math.log(0.8) + Math.log(0.8) + Math.log(0.4)) / 4, 12),
      expectedError: expect.closeTo(0.25 * 0.2 + 0.75 * (2.3 / 3 - 2 / 3), 12),
      maximumError: expect.closeTo(0.2, 12),
      areaUnderRoc: 1,
    })
  })

  test('a probability on an edge belongs to the bin above it, and 1 to the last', () => {
    const answer = calibration([0.29, 1], [1, 1], { bins: 100 })
    expect(answer).toMatchObject({ bins: [{ from: 0.29 }, { to: 1 }] })
  })

  test('identical outcomes have no skill and no curve; NaN and 1.5 get different reasons', () => {
    expect(calibration([0.5, 0.7], [1, 1])).toMatchObject({
      brierSkill: { unavailable: 'one_category' },
      areaUnderRoc: { unavailable: 'one_category' },
    })
    expect(calibration([Number.NaN], [1])).toEqual({ unavailable: 'not_a_number' })
    expect(calibration([], [])).toEqual({ unavailable: 'no_data' })
    expect(() => calibration([1.5], [1])).toThrow('from 0 to 1')
  })
})

describe('cost per success', () => {
  const options = () => ({ random: counterRandom(1), resamples: 2000 })

  test('failures are paid for by successes', () => {
    const costs = Array.from({ length: 40 }, (_, at) => 1 + (at % 3))
    const successes = costs.map((_, at) => Number(at % 4 !== 0))
    const answer = costPerSuccess(costs, successes, options())
    if (!isAvailable(answer) || !isAvailable(answer.interval)) throw new Error('no interval')
    expect(answer.estimate).toBeCloseTo(answer.cost / 30, 12)
    expect(answer.interval.low).toBeLessThan(answer.estimate)
    expect(answer.interval.high).toBeGreaterThan(answer.estimate)
  })

  test('the cost without success is unbounded; few successes leave the interval open', () => {
    expect(costPerSuccess([1, 2], [0, 0], options())).toEqual({ unavailable: 'unbounded' })
    expect(costPerSuccess([1, 2, 3], [0, 0, 1], options())).toMatchObject({
      estimate: 6,
      interval: { unavailable: 'unbounded' },
    })
  })
})

describe('time to success', () => {
  const run = (time: number, succeeded = true) => ({ time, succeeded })

  test('stopped runs count for as long as they ran', () => {
    // 1 of 5 succeeds at 1; one is stopped at 2; 1 of 3 at 3; one is stopped at 4; the last succeeds at 5.
    const answer = timeToSuccess([run(1), run(2, false), run(3), run(4, false), run(5)])
    expect(answer).toMatchObject({ censored: 2, median: 5 })
    if (!isAvailable(answer)) throw new Error('no curve')
    expect(answer.points.map(point => point.remaining)).toEqual([
      expect.closeTo(4 / 5, 12),
      expect.closeTo(8 / 15, 12),
      expect.closeTo(0, 12),
    ])
    // 1 + 2 · 4/5 + 2 · 8/15.
    expect(answer.restrictedMean).toBeCloseTo(1 + 1.6 + 16 / 15, 12)
  })

  test('bounds by log-minus-log, by hand', () => {
    const answer = timeToSuccess([run(1), run(2, false), run(3), run(4, false), run(5)])
    if (!isAvailable(answer)) throw new Error('no curve')
    const half = (1.959963984540054 * Math.sqrt(1 / 20)) / -Math.log(0.8)
    expect(answer.points[0]?.interval).toMatchObject({
      low: expect.closeTo(0.8 ** Math.exp(half), 10),
      high: expect.closeTo(0.8 ** Math.exp(-half), 10),
    })
    expect(answer.points[2]?.interval).toEqual({ unavailable: 'zero_variance' })
  })

  test('below half successes there is no median, only a restricted mean', () => {
    const answer = timeToSuccess([run(1), run(9, false), run(9, false)])
    expect(answer).toMatchObject({
      median: { unavailable: 'censored' },
      restrictedMean: expect.closeTo(1 + (8 * 2) / 3, 12),
    })
    expect(timeToSuccess([run(1), run(2)], { horizon: 10 })).toMatchObject({
      restrictedMean: { unavailable: 'censored' },
    })
    expect(timeToSuccess([])).toEqual({ unavailable: 'no_data' })
  })
})
