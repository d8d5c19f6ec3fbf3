import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byCodePoint, pythonFloat, pythonJson, pythonNumber } from '../../../src/define/spelling/spelling.ts'

describe('floats are spelt as Python spells them', () => {
  test.each([
    [50, '50.0'],
    [0.1, '0.1'],
    [0.02, '0.02'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [123456789012345680, '1.2345678901234568e+17'],
    [9007199254740992, '9007199254740992.0'],
    [1e22, '1e+22'],
    [1e100, '1e+100'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [-0, '-0.0'],
    [0, '0.0'],
    [-2.5, '-2.5'],
  ])('%d', (value, text) => expect(pythonFloat(value)).toBe(text))

  test('floats read back as the same number', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(finite, value => {
        expect(Number(pythonFloat(value))).toBe(value)
      }),
    )
  })
})

describe('a number keeps the type it was written with', () => {
  test.each([
    ['50', '50'],
    ['50.0', '50.0'],
    ['5e1', '50.0'],
    ['5E1', '50.0'],
    ['-0', '0'],
    ['12345678901234567890', '12345678901234567890'],
    ['0x10', '16'],
  ])('%s', (written, text) => expect(pythonNumber(Number(written), written)).toBe(text))

  test('without a spelling a whole number is an integer', () => {
    expect(pythonNumber(50, null)).toBe('50')
    expect(pythonNumber(0.5, null)).toBe('0.5')
  })
})

// From Python 3.11: json.dumps(value, sort_keys=True, separators=(",", ":"))
test.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  ['ü\n"\\\u007f\u0000\b\f\t/', '"\\u00fc\\n\\"\\\\\\u007f\\u0000\\b\\f\\t/"'],
  ['😀', '"\\ud83d\\ude00"'],
  [{ '😀': 1, '\uffff': 2 }, '{"\\uffff":2,"\\ud83d\\ude00":1}'],
  [{}, '{}'],
  [[], '[]'],
])('%j', (value, text) => expect(pythonJson(value)).toBe(text))

test('numbers inside lists and maps are spelt as they were written', () => {
  const written = new Map([['a.0', '2.0']])
  expect(pythonJson({ a: [2, 3] }, path => written.get(path.join('.')) ?? null)).toBe('{"a":[2.0,3]}')
})

test('strings are ordered by code point', () => {
  expect(['😀', '\uffff', 'b', 'a', 'ab', ''].sort(byCodePoint)).toEqual(['', 'a', 'ab', 'b', '\uffff', '😀'])
})
