import { type Adjustment, benjaminiHochberg, benjaminiYekutieli, bonferroni, hochberg, holm } from '../stats/index.ts'
import type { Correction } from './choices.ts'

const adjustments: Readonly<Record<Exclude<Correction, 'none'>, Adjustment>> = {
  holm,
  hochberg,
  bonferroni,
  bh: benjaminiHochberg,
  by: benjaminiYekutieli,
}

/**
 * p after the correction; null where there is none, and everywhere if only one question was asked. A question without p
 * was still asked, as were the family's other questions: they count with p = 1, and no rule gives less than it would
 * with their real p.
 */
export function adjustedP(
  values: readonly (number | null)[],
  correction: Correction,
  family = values.length,
): readonly (number | null)[] {
  if (family < 2 || correction === 'none') return values.map(() => null)
  const known = values.filter(p => p !== null)
  const others = Array<number>(Math.max(0, family - known.length)).fill(1)
  const adjusted = adjustments[correction]([...known, ...others]).values()
  return values.map(p => (p === null ? null : (adjusted.next().value ?? null)))
}
