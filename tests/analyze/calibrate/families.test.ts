import { expect, it } from 'vitest'
import { familyErrors } from '../../../src/analyze/calibrate/calibrate.ts'

it('among three metrics of three candidates, any false claim is rare, and a real difference is found', () => {
  const trials = 120
  const [without, beside] = [...familyErrors({ seed: 20, trials, resamples: 399 }, [12])]
  // Three standard errors above 5%, which the same data without a correction are far above.
  const most = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / trials)
  for (const found of [without, beside]) {
    expect(found?.wrong).toBeLessThan(most)
    expect(found?.uncorrected).toBeGreaterThan(most)
  }
  expect(without?.found).toBeNull()
  expect(beside?.found).toBeGreaterThan(0.9)
})
