import { isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import {
  type Alternative,
  leveneTest,
  pairedDifferences,
  pairedTTest,
  shapiroWilkTest,
  welchTest,
} from '../../../stats/index.ts'
import { wordsFor } from '../../reading.ts'
import type { Samples } from '../../samples.ts'

/** The t test and its assumptions. For information: checking the assumptions changes or hides nothing. */
export interface TTestFinding {
  readonly test: 'paired t' | "Welch's t"
  readonly t: number | null
  readonly df: number | null
  readonly p: number | null
  /** Why there is no t. */
  readonly reason: string | null
  readonly normality: readonly {
    readonly of: 'differences' | 'control' | 'candidate'
    readonly w: number | null
    readonly p: number | null
    readonly doubtful: boolean
  }[]
  /** Levene's test around the mean; Welch's t does not need it. Null for pairs. */
  readonly equal_variances: { readonly w: number; readonly p: number; readonly doubtful: boolean } | null
}

export function tTestOf(
  samples: Samples,
  options: { readonly level: number; readonly alternative: Alternative; readonly assumptionAlpha: number },
): TTestFinding {
  const { control, candidate, pairedBy } = samples
  const { level, alternative, assumptionAlpha } = options
  const test = (pairedBy === null ? welchTest : pairedTTest)(candidate, control, { level, alternative })
  const found = valueOrNull(test)
  return {
    test: pairedBy === null ? "Welch's t" : 'paired t',
    t: found?.t ?? null,
    df: found?.df ?? null,
    p: found?.p ?? null,
    reason: isAvailable(test) ? null : wordsFor(test.unavailable),
    normality: normalityOf(samples, assumptionAlpha),
    equal_variances: pairedBy === null ? spreadOf([control, candidate], assumptionAlpha) : null,
  }
}

function normalityOf({ control, candidate, pairedBy }: Samples, alpha: number): TTestFinding['normality'] {
  if (pairedBy !== null) {
    const differences = whenAvailable(pairedDifferences(candidate, control), ({ values }) => shapiroWilkTest(values))
    return [{ of: 'differences', ...normality(differences, alpha) }]
  }
  return [
    { of: 'control', ...normality(shapiroWilkTest(control), alpha) },
    { of: 'candidate', ...normality(shapiroWilkTest(candidate), alpha) },
  ]
}

function normality(found: ReturnType<typeof shapiroWilkTest>, alpha: number) {
  const { w, p } = valueOrNull(found) ?? { w: null, p: null }
  return { w, p, doubtful: p !== null && p < alpha }
}

function spreadOf(groups: readonly (readonly number[])[], alpha: number): TTestFinding['equal_variances'] {
  const found = leveneTest(groups, 'mean')
  return isAvailable(found) ? { w: found.w, p: found.p, doubtful: found.p < alpha } : null
}
