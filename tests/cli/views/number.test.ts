import { expect, it } from 'vitest'
import { bytes, shortDuration, significant } from '../../../src/cli/views/number.ts'

it('keeps significant digits', () => {
  expect(
    [0, 12, 0.123456, 1234.5678, 123456.7, 1e-7, 1.5e12, -0.5, Number.NaN].map(value => significant(value)),
  ).toEqual(['0', '12', '0.1235', '1235', '123500', '1.000e-7', '1.500e+12', '-0.5', 'NaN'])
})

it('writes durations in at most two units', () => {
  const ms = [0, 850, 4200, 9_960, 59_600, 130_000, 3_599_600, 11_100_000, 187_200_000]
  expect(ms.map(shortDuration)).toEqual(['0ms', '850ms', '4.2s', '10s', '1m00s', '2m10s', '1h00m', '3h05m', '2d4h'])
})

it('writes sizes', () => {
  expect([0, 999, 1500, 25_300_000_000].map(bytes)).toEqual(['0 B', '999 B', '1.5 KB', '25.3 GB'])
})
