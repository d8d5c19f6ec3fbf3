import { expect, test } from 'vitest'
import { numpyRandom } from '../../../src/stats/random/numpy-random.ts'

const drawn = (seed: number | bigint, limit: number, size: number): number[] => {
  const numbers = new Int32Array(size)
  numpyRandom(seed).fillBelow(limit, numbers)
  return [...numbers]
}

test('draws the same as numpy default_rng(seed).integers(0, 500)', () => {
  expect(drawn(0, 500, 10)).toEqual([425, 318, 255, 134, 153, 20, 37, 8, 87, 406])
  expect(drawn(1, 500, 10)).toEqual([236, 255, 377, 475, 17, 72, 411, 474, 124, 155])
})

test('takes a seed wider than its pool word by word', () => {
  expect(drawn(2n ** 64n + 7n, 500, 6)).toEqual([364, 416, 398, 242, 376, 362])
})

test('a real number keeps the spare half word for the next integer, as in numpy', () => {
  const random = numpyRandom(42)
  const numbers = new Int32Array(7)
  random.fillBelow(3, numbers)
  expect([...numbers]).toEqual([0, 2, 1, 1, 1, 2, 0])
  expect(random.next()).toBe(0.09417734788764953)
  expect([random.below(2 ** 31 - 1), random.below(2 ** 31 - 1)]).toEqual([1497586438, 1130604997])
})

test('one by one or in bulk, the numbers are the same', () => {
  const single = numpyRandom(5)
  expect(drawn(5, 7, 3000)).toEqual(Array.from({ length: 3000 }, () => single.below(7)))
})

test('a negative or fractional seed is refused with its value', () => {
  expect(() => numpyRandom(-1)).toThrow('seed -1')
  expect(() => numpyRandom(0.5)).toThrow('seed 0.5')
})
