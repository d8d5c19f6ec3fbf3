import { expect, test } from 'vitest'
import { simultaneousDifferences } from '../../../src/stats/bootstrap/simultaneous-differences.ts'
import { studentizeDifference, studentizedInterval } from '../../../src/stats/bootstrap/studentized.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { expectClose } from '../close.ts'

const options = () => ({ random: counterRandom(5), resamples: 4000 })
const noise = (from: number, size = 30) => Array.from({ length: size }, (_, at) => Math.sin(from + 7.3 * at * at))
const found = (candidates: readonly (readonly number[])[], control: readonly number[]) => {
  const answer = simultaneousDifferences(candidates, control, options())
  if (!isAvailable(answer)) throw new Error('no intervals')
  return answer
}

test('one candidate has about the studentised interval of two groups', () => {
  const studentized = studentizeDifference(noise(1), noise(2, 20), options())
  const single = isAvailable(studentized) ? studentizedInterval(studentized) : studentized
  const [joint] = found([noise(1)], noise(2, 20)).intervals
  if (!isAvailable(single) || joint === undefined || !isAvailable(joint)) throw new Error('no interval')
  // The 95% point of 4000 resamples has a standard error of 1.6% of itself.
  expectClose(joint.high - joint.low, single.high - single.low, 3 * 0.016)
})

test('more candidates cost width, less than as many Bonferroni levels: they share the control', () => {
  const one = found([noise(1)], noise(9)).criticalValue
  const four = found([noise(1), noise(2), noise(3), noise(4)], noise(9)).criticalValue
  const bonferroni = simultaneousDifferences([noise(1)], noise(9), { ...options(), level: 1 - 0.05 / 4 })
  expect(four).toBeGreaterThan(one)
  expect(four).toBeLessThan(isAvailable(bonferroni) ? bonferroni.criticalValue : 0)
})

test('a large effect has a small p that is not 0', () => {
  const [shifted, other] = found([noise(1).map(value => value + 9), noise(2)], noise(3)).intervals
  expect(shifted).toMatchObject({ p: 1 / 4001 })
  expect(other !== undefined && isAvailable(other) && other.p).toBeGreaterThan(0.05)
})

test('a group without spread does not affect others; only such groups give no answer', () => {
  const [flat, live] = found([noise(1).map(() => 3), noise(2)], noise(3)).intervals
  expect(flat !== undefined && isAvailable(flat)).toBe(true)
  expect(live !== undefined && isAvailable(live)).toBe(true)
  expect(simultaneousDifferences([[1, 1, 1]], [2, 2, 2], options())).toEqual({ unavailable: 'zero_variance' })
  expect(simultaneousDifferences([], [1, 2], options())).toEqual({ unavailable: 'no_data' })
  expect(simultaneousDifferences([[1]], [2, 3], options())).toEqual({ unavailable: 'too_few_values' })
})
