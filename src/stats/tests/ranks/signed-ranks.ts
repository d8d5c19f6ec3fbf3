import { type Differences, isZero } from '../../describe/differences.ts'
import { midranks } from '../../describe/ranks.ts'

/** Zeros are dropped before ranking (Wilcoxon 1945) or ranked and then dropped (Pratt 1959, JASA 54:655). */
export type Zeros = 'drop' | 'pratt'

export interface SignedRanks {
  /** Of the differences that are not 0. */
  readonly ranks: readonly number[]
  readonly n: number
  readonly zeros: number
  readonly plus: number
  readonly minus: number
  /** (W₊ − W₋) / (W₊ + W₋), an effect size from −1 to 1 (Kerby 2014). */
  readonly rankBiserial: number
}

export function signedRanks(differences: Differences, zeroMethod: Zeros = 'drop'): SignedRanks {
  const isNonzero = (value: number) => !isZero(value, differences)
  const kept = differences.values.filter(isNonzero)
  const zeros = differences.values.length - kept.length
  const above = zeroMethod === 'pratt' ? zeros : 0
  const ranks = midranks(kept.map(Math.abs), differences.rounding).map(rank => rank + above)
  let plus = 0
  let minus = 0
  for (const [at, rank] of ranks.entries()) {
    if ((kept[at] ?? 0) > 0) plus += rank
    else minus += rank
  }
  return { ranks, n: kept.length, zeros, plus, minus, rankBiserial: (plus - minus) / (plus + minus) }
}
