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
 * p after the correction; null where there was none, and everywhere if one question was asked once. Where the questions were
 * chosen from a larger family by their answers, the others count with p = 1: no rule gives less than it would with their own.
 */
export function adjustedP(
  values: readonly (number | null)[],
  correction: Correction,
  family = values.length,
): readonly (number | null)[] {
  if (family < 2 || correction === 'none') return values.map(() => null)
  const others = Array<number>(Math.max(0, family - values.length)).fill(1)
  const adjusted = adjustments[correction]([...values.filter(p => p !== null), ...others]).values()
  return values.map(p => (p === null ? null : (adjusted.next().value ?? null)))
}
