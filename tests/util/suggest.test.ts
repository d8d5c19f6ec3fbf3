import fc from 'fast-check'
import { expect, test } from 'vitest'
import { didYouMean, suggest } from '../../src/util/suggest.ts'

test.each([
  ['polcy', 'policy'],
  ['job', 'jobs'],
  ['Factors', 'factors'],
  ['polciy', 'policy'],
])('%s suggests %s', (word, meant) => expect(suggest(word, ['factors', 'policy', 'jobs'])).toBe(meant))

test('nothing is suggested when no word is near', () => {
  expect(suggest('banana', ['factors', 'policy', 'jobs'])).toBeNull()
  expect(didYouMean('banana', ['jobs'])).toBeUndefined()
  expect(suggest('b', ['a'])).toBeNull()
})

test('a known word is its own suggestion', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), word => {
      expect(suggest(word, [word])).toBe(word)
    }),
  )
})
