import { omitNaN, omitNaNPairs } from '../describe/usable.ts'
import { requireThat } from '../outcome.ts'

type Policy = 'raise' | 'omit' | undefined

/** What a vector asks to do about NaN: to raise (also by default) or to omit and count. */
export function withNaNPolicy(x: readonly number[], policy: Policy): ReturnType<typeof omitNaN> {
  const cleaned = omitNaN(x)
  requireThat(policy === 'omit' || cleaned.dropped === 0, 'no NaN among the values')
  return cleaned
}

export function pairsWithNaNPolicy(
  a: readonly number[],
  b: readonly number[],
  policy: Policy,
): ReturnType<typeof omitNaNPairs> {
  const cleaned = omitNaNPairs(a, b)
  requireThat(policy === 'omit' || cleaned.dropped === 0, 'no NaN among the pairs')
  return cleaned
}
