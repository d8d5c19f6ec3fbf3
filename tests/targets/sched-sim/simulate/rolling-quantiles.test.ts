import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RollingQuantiles } from '../../../../src/targets/sched-sim/simulate/rolling-quantiles.ts'

test('the quantiles are those of the latest samples only', () => {
  const samples = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 80 })
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 0.5, 0.95, 1), (values, window, q) => {
      const quantiles = new RollingQuantiles(window)
      expect(quantiles.quantile(q)).toBeUndefined()
      values.forEach((value, index) => {
        quantiles.add(value)
        const latest = values.slice(Math.max(0, index + 1 - window), index + 1).sort((a, b) => a - b)
        expect(quantiles.count).toBe(latest.length)
        expect(quantiles.quantile(q)).toBe(latest[Math.min(latest.length - 1, Math.floor(q * latest.length))])
      })
    }),
    { seed: 1 },
  )
})
