import { meanOf } from '../../describe/moments.ts'
import { trimmed, trimmedStandardError } from '../../describe/robust.ts'
import { firstUnusable } from '../../describe/usable.ts'
import { type Estimate, isAvailable, unavailable } from '../../estimate.ts'
import { type TTest, type TTestOptions, tInference } from './t-inference.ts'
import { welchDf } from './welch.ts'

/** Difference of trimmed means without equal variances (Yuen 1974, Biometrika 61:165). `trim` is the share cut at each end. */
export function yuenTest(
  a: readonly number[],
  b: readonly number[],
  options: TTestOptions & { readonly trim?: number } = {},
): Estimate<TTest> {
  const { trim = 0.2 } = options
  const reason = firstUnusable([a, b], 2)
  if (reason !== undefined) return reason
  const keptA = trimmed(a, trim)
  const keptB = trimmed(b, trim)
  if (keptA.length < 2 || keptB.length < 2) return unavailable('too_few_values')
  const partA = squaredError(a, trim)
  const partB = squaredError(b, trim)
  if (partA + partB === 0) return unavailable('zero_variance')
  const df = welchDf(partA, keptA.length, partB, keptB.length)
  return tInference(meanOf(keptA) - meanOf(keptB), Math.sqrt(partA + partB), df, options)
}

function squaredError(values: readonly number[], trim: number): number {
  const error = trimmedStandardError(values, trim)
  return isAvailable(error) ? error ** 2 : 0
}
