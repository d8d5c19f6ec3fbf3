import { expect, test } from 'vitest'
import { densestInterval, practicalEquivalence } from '../../../src/stats/bayes/practical-equivalence.ts'
import { posteriorDifference, tPosterior } from '../../../src/stats/bayes/t-posterior.ts'
import { normalQuantile } from '../../../src/stats/distributions/normal.ts'
import { type Estimate, isAvailable } from '../../../src/stats/estimate.ts'
import { meanInterval } from '../../../src/stats/intervals/mean.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { expectClose, expectWithin } from '../close.ts'

const options = () => ({ random: counterRandom(1), draws: 20_000 })
const normal = (count: number, centre = 0, scale = 1) =>
  Array.from({ length: count }, (_, at) => centre + scale * normalQuantile((at + 0.5) / count))
const given = <T>(estimate: Estimate<T>): T => {
  if (!isAvailable(estimate)) throw new Error('no answer')
  return estimate
}
const centresOf = (values: readonly number[]) =>
  given(tPosterior([values], options())).groups[0]?.centres ?? new Float64Array(0)

test('for normal values the densest interval of the centre is about the t interval', () => {
  const bayes = given(densestInterval(centresOf(normal(40, 3, 2))))
  const student = given(meanInterval(normal(40, 3, 2)))
  // Within a tenth of the mean's standard error: 20,000 draws know the ends of a densest interval no better.
  const tenth = (0.1 * 2) / Math.sqrt(40)
  expect(Math.abs(bayes.low - student.low)).toBeLessThan(tenth)
  expect(Math.abs(bayes.high - student.high)).toBeLessThan(tenth)
  expectClose(bayes.high - bayes.low, student.high - student.low, 0.03)
})

test('one outlier moves the mean, and hardly the centre', () => {
  const values = [...normal(20), 50]
  const interval = given(densestInterval(centresOf(values)))
  expect(interval.high).toBeLessThan(1)
  expect(given(meanInterval(values)).high).toBeGreaterThan(5)
})

test('it moves and stretches with the values', () => {
  const plain = given(densestInterval(centresOf(normal(9))))
  const moved = given(densestInterval(centresOf(normal(9, 7, 1000))))
  expect(moved.low).toBeCloseTo(7 + 1000 * plain.low, 4)
})

test('two groups: difference, effect size, and their probabilities', () => {
  const { difference, effectSize } = posteriorDifference(given(tPosterior([normal(60, 1), normal(60)], options())))
  const middle = difference.toSorted()[10_000] ?? 0
  // The median of 20,000 draws whose standard deviation is √(2/60).
  expectWithin(middle, 1, Math.sqrt(((Math.PI / 2) * (2 / 60)) / 20_000))
  expect(given(densestInterval(effectSize)).low).toBeGreaterThan(0.5)
  expect(practicalEquivalence(difference, { low: -0.1, high: 0.1 })).toMatchObject({ decision: 'different', above: 1 })
  expect(practicalEquivalence(difference, { low: -9, high: 9 })).toMatchObject({ decision: 'equivalent', within: 1 })
  expect(practicalEquivalence(difference, { low: -1, high: 1 })).toMatchObject({ decision: 'undecided' })
})

test('two values, or identical values, give no posterior', () => {
  expect(tPosterior([[1, 2]], options())).toEqual({ unavailable: 'too_few_values' })
  expect(tPosterior([[1, 1, 1]], options())).toEqual({ unavailable: 'zero_variance' })
  expect(tPosterior([], options())).toEqual({ unavailable: 'no_data' })
  expect(densestInterval(new Float64Array(0))).toEqual({ unavailable: 'no_data' })
})

test('the densest interval of a skewed sample leaves out the long tail', () => {
  const draws = Float64Array.from({ length: 1000 }, (_, at) => -Math.log(1 - (at + 0.5) / 1000))
  const { low, high } = given(densestInterval(draws, 0.9))
  // From the first draw to the one that has 900 others from there on before it.
  expect(low).toBe(draws[0])
  expect(high).toBe(draws[900])
})
