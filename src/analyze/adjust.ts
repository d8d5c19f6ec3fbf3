import {
  type Adjustment,
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  hochberg,
  holm,
} from '../stats/adjust/p-values.ts'
import type { Correction } from './choices.ts'

const adjustments: Readonly<Record<Exclude<Correction, 'none'>, Adjustment>> = {
  holm,
  hochberg,
  bonferroni,
  bh: benjaminiHochberg,
  by: benjaminiYekutieli,
}

/** p after the correction; null where there was none, and everywhere if one question was asked once. */
export function adjustedP(values: readonly (number | null)[], correction: Correction): readonly (number | null)[] {
  if (values.length < 2 || correction === 'none') return values.map(() => null)
  const adjusted = adjustments[correction](values.filter(p => p !== null)).values()
  return values.map(p => (p === null ? null : (adjusted.next().value ?? null)))
}
