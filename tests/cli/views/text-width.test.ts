import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textWidth, wrapped } from '../../../src/cli/views/text-width.ts'

test('wraps a verdict between words, and keeps numbers whole', () => {
  const verdict = 'shortest_first is better on wait_mean than first_come by 7.40 (simultaneous 95% CI 6.33 to 8.61).'
  expect(wrapped(verdict, 40)).toEqual([
    'shortest_first is better on wait_mean',
    'than first_come by 7.40 (simultaneous',
    '95% CI 6.33 to 8.61).',
  ])
  expect(wrapped(verdict, Number.POSITIVE_INFINITY)).toEqual([verdict])
})

test('loses no word, and only a single long word exceeds the width', () => {
  const words = fc.array(fc.stringMatching(/^[a-z日]{1,12}$/), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(words, fc.integer({ min: 4, max: 40 }), (list, width) => {
      const lines = wrapped(list.join(' '), width, '  ')
      expect(lines.flatMap(line => line.trim().split(' '))).toEqual(list)
      for (const line of lines) if (line.trim().includes(' ')) expect(textWidth(line)).toBeLessThanOrEqual(width)
    }),
  )
})

test('characters counted without segmenting are as wide as segmenting says', () => {
  const ranges = ['\x20\x7e', '\xa1\xac', '\xae\u02ff', '\u2010\u2027', '\u2190\u22ff', '\u2500\u257f']
  for (const [from, to] of ranges.map(range => [range.charCodeAt(0), range.charCodeAt(1)] as const))
    for (let code = from; code <= to; code++) {
      const character = String.fromCharCode(code)
      // A wide character beside it makes both be segmented.
      expect([textWidth(character), textWidth(`日${character}`)], character).toEqual([1, 3])
    }
})
