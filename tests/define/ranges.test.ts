import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectedOfRange, parseRanges, rangesPattern, severalPattern } from '../../src/define/levels.ts'

test.each([
  ['1..5', [1, 2, 3, 4, 5]],
  ['1..6..2', [1, 3, 5]],
  ['1,2,5..7', [1, 2, 5, 6, 7]],
  ['7', [7]],
  ['-1..1', [-1, 0, 1]],
  [' 1 , 2 ', [1, 2]],
])('%s', (text, numbers) => expect(parseRanges(text)).toEqual(numbers))

test.each(['', '5..1', '1..x', '1...3', '1..3..0', '1.5', 'a,b', '1..1000000000', '1,,2'])(
  'refuses the range %j',
  text => expect(parseRanges(text)).toBeNull(),
)

test('a range has both of its ends and everything between', () => {
  const first = fc.integer({ min: -999, max: 999 })
  fc.assert(
    fc.property(first, fc.nat({ max: 500 }), (from, more) => {
      const all = Array.from({ length: more + 1 }, (_, at) => from + at)
      expect(parseRanges(`${from}..${from + more}`)).toEqual(all)
    }),
  )
})

test('the schema accepts every valid range', () => {
  const text = fc.string({ unit: fc.constantFrom('1', '20', '-', '..', ',', ' '), maxLength: 8 })
  fc.assert(
    fc.property(text, written => {
      if (parseRanges(written) === null) return
      expect(written).toMatch(new RegExp(rangesPattern, 'u'))
      if (/\.\.|,/.test(written)) expect(written).toMatch(new RegExp(severalPattern, 'u'))
    }),
    { numRuns: 2000 },
  )
  for (const written of ['hello', '1...3', '0.1..0.5..0.1', '1.5', ''])
    expect(written).not.toMatch(new RegExp(rangesPattern, 'u'))
  expect('7').not.toMatch(new RegExp(severalPattern, 'u'))
})

test.each([
  ['5..1', 'expected a range that goes upwards, such as 1..5'],
  ['1,9..2', 'expected a range that goes upwards, such as 2..9'],
  ['0.1..0.5..0.1', 'expected whole numbers in a range (list others one by one)'],
  ['0.5..2', 'expected whole numbers in a range (list others one by one)'],
  ['1..9..0', 'expected a step of 1 or more in a range'],
  ['1..1000000000', 'expected at most 1000000 numbers'],
  ['hello', null],
  ['../tasks', null],
  ['a..b', null],
  ['1...3', null],
])('%j: %s', (text, expected) => expect(expectedOfRange(text)).toBe(expected))
