import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256, sha256OfJson } from '../../src/util/hash.ts'
import { canonicalJson, isAscending, type Json } from '../../src/util/json.ts'

const plain = (data: unknown): Json => JSON.parse(JSON.stringify(data))

test('an incremental hash equals the hash of the canonical JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), data => {
      expect(sha256OfJson(data)).toBe(sha256(canonicalJson(plain(data))))
    }),
  )
})

test('it does not depend on chunks, undefined keys or the order of keys', () => {
  const seeds = Array.from({ length: 20_000 }, (_, at) => at)
  const cells = seeds.slice(0, 9000).map(at => ({ levels: { a: at }, replicates: 1 }))
  const data = { b: [null, 'ü', [1, [2]]], cells, a: undefined, seeds }
  expect(sha256OfJson(data)).toBe(sha256(canonicalJson(plain(data))))
  expect(sha256OfJson({ seeds, b: data.b, cells })).toBe(sha256OfJson(data))
})

test('numbers ascend if each is larger than the previous one', () => {
  expect(isAscending([])).toBe(true)
  expect(isAscending([-1, 0, 2.5])).toBe(true)
  expect([[1, 1], [2, 1], [0, -0], [1, '2'], ['a'], [1, Number.NaN, 2]].map(isAscending)).toEqual(Array(6).fill(false))
})
