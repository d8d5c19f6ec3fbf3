import { skewness } from '../../describe/moments.ts'
import { normalSurvival } from '../../distributions/normal.ts'
import { type Estimate, unavailable, whenAvailable } from '../../estimate.ts'

export interface SkewnessTest {
  /** Adjusted Fisher-Pearson skewness: above 0, the long tail is on the side of large values. */
  readonly skewness: number
  readonly z: number
  /** Two-sided. */
  readonly p: number
}

/** Whether a sample is more skewed than normal ones are (D'Agostino 1970, Biometrika 57:679), for n from 8. */
export function skewnessTest(values: readonly number[]): Estimate<SkewnessTest> {
  const n = values.length
  if (n < 8) return unavailable('too_few_values')
  return whenAvailable(skewness(values), adjusted => {
    const own = (adjusted * (n - 2)) / Math.sqrt(n * (n - 1))
    const y = own * Math.sqrt(((n + 1) * (n + 3)) / (6 * (n - 2)))
    const kurtosis = (3 * (n ** 2 + 27 * n - 70) * (n + 1) * (n + 3)) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    const w2 = Math.sqrt(2 * (kurtosis - 1)) - 1
    const z = Math.asinh(y / Math.sqrt(2 / (w2 - 1))) / Math.sqrt(Math.log(w2) / 2)
    return { skewness: adjusted, z, p: 2 * normalSurvival(Math.abs(z)) }
  })
}
