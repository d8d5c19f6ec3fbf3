import { meanOf } from '../../../../src/stats/describe/moments.ts'
import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../../../src/stats/estimate.ts'
import { binomialCoefficient, permutationIndependent } from '../../../../src/stats/tests/permutation/independent.ts'
import { permutationPaired } from '../../../../src/stats/tests/permutation/paired.ts'
import type { PermutationTest } from '../../../../src/stats/tests/permutation/permutation-test.ts'
import type { Evaluate } from '../evaluate.ts'
import { withNaNPolicy } from '../nan-policy.ts'
import { differencesOf } from './ranks.ts'

export const permutation: Readonly<Record<string, Evaluate>> = {
  'test.permutationPairedExact': input => {
    const differences = differencesOf(input)
    return {
      meanDiff: valueOrNull(whenAvailable(differences, ({ values }) => meanOf(values))),
      permutations: valueOrNull(whenAvailable(differences, ({ values }) => 2 ** values.length)),
      ...fields(whenAvailable(differences, given => permutationPaired(given))),
    }
  },
  'test.permutationIndependentExact': input => {
    const a = withNaNPolicy(input.a, input.nanPolicy).values
    const b = withNaNPolicy(input.b, input.nanPolicy).values
    return {
      diff: a.length > 0 && b.length > 0 ? meanOf(a) - meanOf(b) : null,
      permutations: binomialCoefficient(a.length + b.length, a.length),
      ...fields(permutationIndependent(a, b)),
    }
  },
}

function fields(test: Estimate<PermutationTest>) {
  if (isAvailable(test)) return { pTwoSidedAbs: test.twoSided, pGreater: test.greater, pLess: test.less }
  const isOneArrangement = test.unavailable === 'all_tied' || test.unavailable === 'all_differences_zero'
  const p = isOneArrangement ? 1 : null
  return { pTwoSidedAbs: p, pGreater: p, pLess: p }
}
