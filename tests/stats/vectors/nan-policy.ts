import { omitNaN, omitNaNPairs, replaceNaN } from '../../../src/stats/describe/missing.ts'
import { requireThat } from '../../../src/stats/estimate.ts'

/** Raise (the default), omit and count, count as a score of 0, or continue without an answer. */
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
