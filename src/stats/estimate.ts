/**
 * What a statistic gives when the data cannot answer: no number, and the reason by name.
 *
 * - `Estimate<T>` is either the value or `{ unavailable: reason }`. Never 0, NaN, p = 0 or an infinite t instead.
 * - Data decides: one value, no variance, only ties, a NaN. Ask `isAvailable(estimate)`, then use it.
 * - Mistakes of the caller throw an `AssayError` (`requireThat`): a level of 95, pairs of unequal length.
 * - A part of a larger answer that is missing is itself an `Estimate`; its neighbours keep their values.
 */
import { AssayError } from '../util/errors.ts'

export type Reason =
  | 'no_data'
  | 'too_few_values'
  | 'too_many_values'
  | 'not_a_number'
  | 'infinite_value'
  | 'too_large'
  | 'too_small'
  | 'zero_variance'
  | 'zero_mean'
  | 'zero_effect'
  | 'not_positive'
  | 'all_tied'
  | 'all_differences_zero'
  | 'no_overlap'
  | 'no_discordant_pairs'
  | 'one_cluster'
  | 'one_category'
  | 'unbounded'
  | 'unreachable'
  | 'censored'

export interface Unavailable {
  readonly unavailable: Reason
}

export type Estimate<T> = T | Unavailable

export const unavailable = (reason: Reason): Unavailable => ({ unavailable: reason })

export function isAvailable<T>(estimate: Estimate<T>): estimate is T {
  return !(typeof estimate === 'object' && estimate !== null && 'unavailable' in estimate)
}

/** The answer of `next`, or the reason why it can't be asked. */
export function whenAvailable<T, U>(estimate: Estimate<T>, next: (value: T) => Estimate<U>): Estimate<U> {
  return isAvailable(estimate) ? next(estimate) : (estimate as Unavailable)
}

/** For answers that leave the typed world (JSON, a table): null if there is no value. */
export function valueOrNull<T>(estimate: Estimate<T>): T | null {
  return isAvailable(estimate) ? estimate : null
}

/** Rejects arguments that no data could justify. */
export function requireThat(isFine: boolean, expected: string): asserts isFine {
  if (!isFine) throw new AssayError('usage', `expected ${expected}`)
}
