import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dollars, exactDollars, listed, shortened, tellingTexts } from '../../src/util/words.ts'

it('writes money with cents, and small amounts with enough digits', () => {
  const amounts = [0, 0.00042, 0.001, 0.5, 12.345, 1234.5, 12_345.678, -2, 3e-8]
  expect(amounts.map(dollars)).toEqual([
    '$0.00',
    '$0.00042',
    '$0.001',
    '$0.50',
    '$12.35',
    '$1234.50',
    '$12,345.68',
    '−$2.00',
    '$3.0e-8',
  ])
  expect([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(dollars)).toEqual(['∞', '−∞'])
})

it('writes a limit as it was set, without floating-point noise', () => {
  const amounts = [0, 0.1 + 0.2, 1.1, 0.57, 0.125, 0.0004, 5, 1234567.89, -0.25]
  expect(amounts.map(exactDollars)).toEqual([
    '$0.00',
    '$0.30',
    '$1.10',
    '$0.57',
    '$0.125',
    '$0.0004',
    '$5.00',
    '$1234567.89',
    '−$0.25',
  ])
})

it('keeps twelve digits of an exact amount, so that an amount above a limit never reads as the limit', () => {
  const cents = fc.integer({ min: 0, max: 10 ** 9 })
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 99 }), (whole, more) => {
      const limit = whole / 100
      expect(exactDollars(limit + more / 10_000)).not.toBe(exactDollars(limit))
    }),
  )
})

it('lists names, and cuts a long list', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(names => listed(names))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
  expect(listed(['a', 'b', 'c'], 6, 'or')).toBe('a, b or c')
  expect(listed(['a', 'b', 'c', 'd', 'e', 'f'], 4)).toBe('a, b, c, d and 2 more')
})

it('cuts a name to UTF-8 bytes, between characters', () => {
  expect(shortened('a'.repeat(10), 10)).toBe('a'.repeat(10))
  expect(shortened('a'.repeat(11), 10)).toBe('a'.repeat(10))
  expect(['é', '漢', '😀'].map(character => shortened(character.repeat(9), 10))).toEqual(['ééééé', '漢漢漢', '😀😀'])
  expect(shortened('abc-_.d', 6)).toBe('abc')
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '7'), maxLength: 200 })
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 400 }), (name, bytes) => {
      const cut = shortened(name, bytes)
      expect(name.startsWith(cut)).toBe(true)
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes)
      const [next = ''] = name.slice(cut.length)
      if (next !== '') expect(Buffer.byteLength(cut + next)).toBeGreaterThan(bytes)
    }),
  )
})

it('writes levels that are sentences by the words in which they differ', () => {
  const written = (levels: readonly (string | object)[]) =>
    levels.map(level => tellingTexts(levels as never)(level as never))
  expect(
    written([
      { append: 'The mayor has promised the residents a noise wall.' },
      { append: 'The mayor has promised the shipping line low dues.' },
    ]),
  ).toEqual(['…residents a noise wall…', '…shipping line low dues…'])
  expect(written(['models/2026/large-one', 'models/2026/small-one and more'])).toEqual([
    '…large-one',
    '…small-one and more',
  ])
  expect(written(['short', 'b'])).toEqual(['short', 'b'])
  expect(written(['one level that is a whole sentence'])).toEqual(['one level that is a whole sentence'])
  expect(written(['one level that is a whole sentence', 'one level that is a whole sentence, and more'])).toEqual([
    '…sentence',
    '…sentence, and more',
  ])
})

it('cuts no emoji and no accented letter in two', () => {
  const told = (levels: readonly string[]) => levels.map(tellingTexts(levels))
  expect(told(['Answer 🎉🎉 only with one short word', 'Answer 🎊🎊 only with one short word'])).toEqual([
    '…🎉🎉…',
    '…🎊🎊…',
  ])
  expect(told(['Only with one short word: e\u0301', 'Only with one short word: a\u0301'])).toEqual([
    '…e\u0301',
    '…a\u0301',
  ])
})
