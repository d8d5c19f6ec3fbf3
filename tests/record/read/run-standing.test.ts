import { expect, test } from 'vitest'
import { standingReader } from '../../../src/record/read/standing.ts'
import { planned } from '../support.ts'

const names = Array.from({ length: 1200 }, (_, at) => `r${at}`)

/** A reader of a journal with these runs, and how many queries it has made. */
function counted() {
  const { journal } = planned(...names)
  const queries: string[] = []
  const counting = new Proxy(journal, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        if (property === 'get' || property === 'all') queries.push(String(given[0]))
        return member.apply(target, given)
      }
    },
  })
  return { read: standingReader(counting, 'first'), queries }
}

test('reads runs in journal order in batches', () => {
  const { read, queries } = counted()
  expect(names.map(name => read(`key-${name}`)?.name)).toEqual(names)
  expect(queries.length).toBeLessThan(12)
})

test('gives the same answers in any order, and none for unknown runs', () => {
  const { read } = counted()
  const mixed = names.map((_, at) => names[(at * 7) % names.length] ?? '')
  expect(mixed.map(name => read(`key-${name}`)?.name)).toEqual(mixed)
  expect(read('key-unknown')).toBeUndefined()
  expect(read('key-r0')).toMatchObject({ name: 'r0', state: 'ready', attempts: 0 })
})
