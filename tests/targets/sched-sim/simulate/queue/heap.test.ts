import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap } from '../../../../../src/targets/sched-sim/simulate/queue/heap.ts'

test('gives the lowest key first, and equal keys in order of arrival', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 600 })
  fc.assert(
    fc.property(keys, values => {
      const heap = new Heap<readonly [number, number]>()
      values.forEach((key, index) => void heap.push(key, [key, index]))
      const sorted = values.map((key, index) => [key, index] as const).sort(([a, i], [b, j]) => a - b || i - j)
      expect(values.map(() => heap.pop())).toEqual(sorted)
      expect([heap.pop(), heap.size, heap.firstKey]).toEqual([undefined, 0, Number.POSITIVE_INFINITY])
    }),
    { seed: 1 },
  )
})
