import { expect, it } from 'vitest'
import { fittingAxis } from '../../src/charts/drawing/axis.ts'

it('an axis has as many ticks as fit', () => {
  const ticks = (width: number) => fittingAxis('cost_usd (USD)', [0.0021, 0.0039], width).ticks.length
  expect(ticks(600)).toBeGreaterThan(6)
  // On a phone a number such as 0.0022 takes a sixth of the width.
  expect(ticks(240)).toBeLessThan(6)
  expect(ticks(240)).toBeGreaterThan(1)
})
