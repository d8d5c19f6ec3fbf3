import { omitNaN, omitNaNPairs, replaceNaN } from '../../../src/stats/describe/missing.ts'
import { requireThat } from '../../../src/stats/estimate.ts'

/** To raise, which is also the default; to omit and count; to count as a score of 0; to go on without an answer. */
type Policy = 'raise' | 'omit' | 'failure' | 'propagate' | undefined

/** The NaN policy of a vector. */
export function withNaNPolicy(x: readonly number[], policy: Policy): ReturnType<typeof omitNaN> {
  if (policy === 'omit') return omitNaN(x)
  if (policy === 'failure') return { values: replaceNaN(x, 0).values, dropped: 0 }
  requireThat(policy === 'propagate' || !x.some(Number.isNaN), 'no NaN among the values')
  return { values: x, dropped: 0 }
}

export function pairsWithNaNPolicy(
  a: readonly number[],
  b: readonly number[],
  policy: Policy,
): ReturnType<typeof omitNaNPairs> {
  if (policy === 'omit') return omitNaNPairs(a, b)
  return { a: withNaNPolicy(a, policy).values, b: withNaNPolicy(b, policy).values, dropped: 0 }
}
