import { expect, test } from 'vitest'
import { simultaneousIntervals } from '../../../src/stats/bootstrap/simultaneous-intervals.ts'
import { studentizedInterval, studentizeMean } from '../../../src/stats/bootstrap/studentized.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { expectClose } from '../close.ts'

const options = () => ({ random: counterRandom(5), resamples: 4000 })
const noise = (from: number) => Array.from({ length: 30 }, (_, at) => Math.sin(from + 7.3 * at * at))
const critical = (contrasts: readonly (readonly number[])[]) => {
  const answer = simultaneousIntervals(contrasts, options())
  if (!isAvailable(answer)) throw new Error('no intervals')
  return answer
}

test('a duplicate contrast costs nothing; unrelated ones cost width', () => {
  const once = critical([noise(1)]).criticalValue
  expect(critical([noise(1), noise(1)]).criticalValue).toBe(once)
  expect(critical([noise(1), noise(2), noise(3)]).criticalValue).toBeGreaterThan(once)
})

test('one contrast has about the studentised interval', () => {
  const studentized = studentizeMean(noise(1), options())
  const single = isAvailable(studentized) ? studentizedInterval(studentized) : studentized
  const [joint] = critical([noise(1)]).intervals
  if (!isAvailable(single) || joint === undefined || !isAvailable(joint)) throw new Error('no interval')
  // The 95% point of 4000 resamples has a standard error of 1.6% of itself.
  expectClose(joint.high - joint.low, single.high - single.low, 3 * 0.016)
})

test('a large effect has a small p that is not 0; a constant contrast has a reason and spoils no other', () => {
  const [shifted, flat] = critical([noise(1).map(value => value + 9), noise(1).map(() => 3)]).intervals
  expect(shifted).toMatchObject({ p: 1 / 4001 })
  expect(flat).toEqual({ unavailable: 'zero_variance' })
})

test('nothing to compare, or contrasts over other units', () => {
  expect(simultaneousIntervals([], options())).toEqual({ unavailable: 'no_data' })
  expect(simultaneousIntervals([[1], [2]], options())).toEqual({ unavailable: 'too_few_values' })
  expect(() => simultaneousIntervals([[1, 2], [1]], options())).toThrow('same units')
})
