import { chanceText } from '../../analyze/compare/chance-text.ts'

interface Tested {
  readonly p: number | null
  readonly p_adjusted: number | null
  readonly p_is_bound: boolean
}

/** How a column of these p is written: `≤ 0.00020` for one that more resamples might make smaller. */
export function pWriting(tested: readonly Tested[]): (value: number) => string {
  const bounds = new Set(tested.filter(one => one.p_is_bound).flatMap(({ p, p_adjusted }) => [p, p_adjusted]))
  return value => chanceText(value, bounds.has(value)).replace(/^p (= )?/, '')
}
