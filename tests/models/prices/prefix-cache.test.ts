import { expect, test } from 'vitest'
import { PrefixCache, type PromptBlock } from '../../../src/models/prices/prefix-cache.ts'

/** A block of that many tokens. */
const block = (name: string, tokens: number, keep?: '5m' | '1h'): PromptBlock => ({
  text: `${name} `.repeat(tokens * 4).slice(0, tokens * 4),
  keep,
})
const minute = 60_000

test('a prompt is cached in steps of 128 tokens, from 1024 on, for ten minutes, for its own model', () => {
  const cache = new PrefixCache()
  const read = (blocks: readonly PromptBlock[], at: number, model = 'a'): number =>
    cache.automatic(model, blocks, at).read
  expect(read([block('x', 1023)], 0)).toBe(0)
  expect(read([block('x', 1023)], 0)).toBe(0)
  expect(read([block('x', 1500)], 0)).toBe(0)
  expect(read([block('x', 1500), block('y', 500)], 1)).toBe(1408)
  expect(read([block('x', 1500)], 1, 'b')).toBe(0)
  expect(read([block('z', 10), block('x', 1500)], 1)).toBe(0)
  expect(read([block('x', 1500)], 9 * minute)).toBe(1408)
  expect(read([block('x', 1500)], 25 * minute)).toBe(0)
})

test('marks set the part to write, and the longest existing prefix is read', () => {
  const cache = new PrefixCache()
  const tools = block('tools', 1200, '5m')
  expect(cache.marked('m', [tools, block('hi', 100)], 0)).toEqual({ read: 0, write_5m: 1200, write_1h: 0 })
  expect(cache.marked('m', [tools, block('hi', 100)], 1)).toEqual({ read: 1200, write_5m: 0, write_1h: 0 })
  const turn = [block('tools', 1200), block('hi', 100), block('and', 300, '5m')]
  expect(cache.marked('m', turn, 2)).toEqual({ read: 1200, write_5m: 400, write_1h: 0 })
  expect(cache.marked('m', turn, 3)).toEqual({ read: 1600, write_5m: 0, write_1h: 0 })
})

test('a mark with too little before it, or no mark, has no effect', () => {
  const cache = new PrefixCache()
  expect(cache.marked('m', [block('short', 1000, '5m')], 0)).toEqual({ read: 0, write_5m: 0, write_1h: 0 })
  expect(cache.marked('m', [block('long', 5000)], 0)).toEqual({ read: 0, write_5m: 0, write_1h: 0 })
})

test('an entry kept for an hour outlives one kept for five minutes', () => {
  const cache = new PrefixCache()
  const prompt = [block('tools', 2000, '1h'), block('story', 2000, '5m')]
  expect(cache.marked('m', prompt, 0)).toEqual({ read: 0, write_5m: 2000, write_1h: 2000 })
  expect(cache.marked('m', prompt, 30 * minute)).toEqual({ read: 2000, write_5m: 2000, write_1h: 0 })
  expect(cache.marked('m', prompt, 33 * minute)).toEqual({ read: 4000, write_5m: 0, write_1h: 0 })
})
