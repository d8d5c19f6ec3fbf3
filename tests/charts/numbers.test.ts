import { expect, it } from 'vitest'
import { estimateTexts } from '../../src/charts/drawing/interval.ts'

const row = (value: number, low: number, high: number) => ({ value, interval: { low, high } })

it('rounds numbers to three digits of their interval', () => {
  expect(estimateTexts([row(31_470, 22_412, 42_507), row(1_611_985, 1_591_238, 1_631_475)])).toEqual([
    '31,500 [22,400, 42,500]',
    '1,612,000 [1,591,200, 1,631,500]',
  ])
})

it('keeps the digits of a small number among large ones', () => {
  const rows = [row(31_470, 22_412, 42_507), row(52_300, 42_100, 62_500), row(47, 31, 58)]
  expect(estimateTexts(rows)[2]).toBe('47.0 [31.0, 58.0]')
})

it('keeps the number of decimals if there are any', () => {
  expect(estimateTexts([row(53.37, 49.02, 57.71)])).toEqual(['53.4 [49.0, 57.7]'])
  expect(estimateTexts([row(153.37, 109.02, 197.71)])).toEqual(['153 [109, 198]'])
})

it('rounds a wide interval to three digits, like the sentence', () => {
  expect(estimateTexts([row(0.0938, 0.0363, 0.1592)])).toEqual(['0.094 [0.036, 0.159]'])
  expect(estimateTexts([row(1_611_985, 1_561_238, 1_669_475)])).toEqual(['1,612,000 [1,561,000, 1,669,000]'])
})
