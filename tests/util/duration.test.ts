import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationPattern, formatDuration, parseDuration } from '../../src/util/time.ts'

describe('parseDuration', () => {
  test.each([
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['90', 90_000],
    [90, 90_000],
    ['1.5s', 1500],
    ['2d', 172_800_000],
    ['1h 30m', 5_400_000],
    ['0', 0],
  ])('%s is %d ms', (written, ms) => expect(parseDuration(written)).toBe(ms))

  test.each(['', 'soon', '30m1h', '-5', '5 parsecs', 'm', 'Infinity', '1e3'])('refuses the duration %j', written =>
    expect(parseDuration(written)).toBeNull(),
  )
})

test('parseDuration reads back the output of formatDuration', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e12 }), ms => {
      expect(parseDuration(formatDuration(ms))).toBe(ms)
    }),
  )
})

test('a duration is written with the largest units that fit', () => {
  expect([0, 999, 5000, 5_400_000].map(formatDuration)).toEqual(['0s', '999ms', '5s', '1h30m'])
})

test('the schema accepts every valid duration', () => {
  const text = fc.string({ unit: fc.constantFrom('1', '20', '.', 'd', 'h', 'm', 'M', 's', ' '), maxLength: 8 })
  fc.assert(
    fc.property(text, written => {
      if (parseDuration(written) !== null) expect(written).toMatch(new RegExp(durationPattern, 'u'))
    }),
    { numRuns: 2000 },
  )
  for (const written of ['', 'soon', '5 fortnights', '-5', 'm', '1e3'])
    expect(written).not.toMatch(new RegExp(durationPattern, 'u'))
})
