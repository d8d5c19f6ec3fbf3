import { expect, it } from 'vitest'
import { shapesOf } from '../../../src/analyze/compare/pictured.ts'
import { askAll } from '../ask.ts'
import { twoArms } from '../evidence.ts'

const labels = { control: 'a', candidate: 'b' }
const shapes = (a: readonly number[], b: readonly number[], isPaired = true) =>
  askAll(twoArms(a, b), { isPaired }).flatMap(({ samples }) => shapesOf(samples, labels))

it('a Q–Q plot shows the differences of pairs, or each arm by itself', () => {
  expect(shapes([1, 2, 3], [2, 4, 7])).toEqual([{ label: 'differences b − a', values: [1, 2, 4] }])
  expect(shapes([1, 2, 3], [2, 4, 7], false).map(({ label }) => label)).toEqual(['a', 'b'])
})

it('gives no shape to equal differences that differ only by rounding', () => {
  const [only] = shapes([1, 2, 3, 0.7], [1.1, 2.1, 3.1, 0.8])
  expect(new Set(only?.values).size).toBe(1)
})
