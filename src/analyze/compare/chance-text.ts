import { pText } from '../numbers.ts'

/** p in words: `p ≤ 0.0002` where no resample was as extreme as the data, for more of them might have given less. */
export const chanceText = (p: number, isBound: boolean): string =>
  isBound ? pText(p).replace(/^p = /, 'p ≤ ') : pText(p)
