import { expect, it } from 'vitest'
import { nineDigits } from '../../../../src/cli/analysis/compare/nine-digits.ts'

it.each([
  [0, '0'],
  [-0.5, '-0.5'],
  [1 / 3, '0.333333333'],
  [123456789.4, '123456789'],
  [1234567890, '1.23456789e+09'],
  [0.00012345, '0.00012345'],
  [0.000012345, '1.2345e-05'],
  [100, '100'],
  [999999999.9, '1e+09'],
  [Number.NaN, 'nan'],
  [-Infinity, '-inf'],
])('%s is written as C writes it with %%.9g', (value, text) => expect(nineDigits(value)).toBe(text))
