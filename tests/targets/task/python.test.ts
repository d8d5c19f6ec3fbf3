import { expect, it } from 'vitest'
import { PythonRandom, pythonSlice } from '../../../src/targets/task/python.ts'

// Computed with CPython 3: random.Random(seed).shuffle([f"i{k:03d}" for k in range(12)]) and so on.
it.each([
  [42, [7, 5, 2, 8, 9, 6, 11, 3, 4, 0, 1, 10]],
  [0, [1, 9, 8, 5, 10, 2, 3, 7, 4, 0, 11, 6]],
  [1, [7, 11, 0, 8, 5, 6, 3, 10, 4, 1, 9, 2]],
  [123_456_789_012, [7, 8, 9, 11, 5, 1, 3, 2, 4, 0, 10, 6]],
])('shuffles as Python does with seed %i', (seed, expected) => {
  expect(new PythonRandom(seed).shuffled(Array.from({ length: 12 }, (_, index) => index))).toEqual(expected)
})

it('shuffles 500 and 1000 items as Python does', () => {
  const numbers = (length: number) => Array.from({ length }, (_, index) => index)
  const five = new PythonRandom(42).shuffled(numbers(500))
  expect(five.slice(0, 12)).toEqual([164, 383, 45, 156, 53, 72, 315, 209, 74, 333, 403, 415])
  expect(five.slice(-3)).toEqual([12, 57, 327])
  const thousand = new PythonRandom(7).shuffled(numbers(1000))
  expect(thousand.reduce((sum, value, index) => sum + index * value, 0)).toBe(245_396_630)
})

it('draws the same bits as Python', () => {
  const random = new PythonRandom(42)
  expect(Array.from({ length: 4 }, () => random.getrandbits(32))).toEqual([
    2_746_317_213, 478_163_327, 107_420_369, 3_184_935_163,
  ])
  expect(random.getrandbits(5)).toBe(8)
})

it.each([
  [':3', [0, 1, 2]],
  ['2:4', [2, 3]],
  ['::4', [0, 4, 8]],
  ['-2:', [8, 9]],
  ['::-3', [9, 6, 3, 0]],
  ['8:2:-2', [8, 6, 4]],
  ['3', [0, 1, 2]],
  ['', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['5:99', [5, 6, 7, 8, 9]],
  ['-99:2', [0, 1]],
])('slices %s as Python does', (text, expected) => {
  expect(pythonSlice(text)?.([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual(expected)
})

it.each(['a', '1:2:3:4', '::0', '1..3', ':x'])('treats %s as no slice', text => {
  expect(pythonSlice(text)).toBeNull()
})
