import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SmallMap } from '../../src/util/collections.ts'

const step = fc.record({ kind: fc.constantFrom('set', 'delete'), key: fc.nat(5), value: fc.nat() })

it('contains the same as a Map, in the same order', () => {
  fc.assert(
    fc.property(fc.array(step), steps => {
      const small = new SmallMap<number, number>()
      const map = new Map<number, number>()
      for (const { kind, key, value } of steps) {
        if (kind === 'set') {
          small.set(key, value)
          map.set(key, value)
        } else expect(small.delete(key)).toBe(map.delete(key))
        expect(small.get(key)).toBe(map.get(key))
      }
      expect(small.entries()).toEqual([...map])
      expect(small.values()).toEqual([...map.values()])
      expect(small.size).toBe(map.size)
    }),
  )
})

it('may change during iteration', () => {
  const map = new SmallMap<string, number>()
  map.set('a', 1)
  map.set('b', 2)
  const seen = map.entries().map(([key]) => {
    map.delete(key)
    return key
  })
  expect(seen).toEqual(['a', 'b'])
  expect(map.size).toBe(0)
})
