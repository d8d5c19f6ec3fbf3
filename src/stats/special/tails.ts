/**
 * A probability and its complement, each computed directly: 1 − 1e-20 is indistinguishable from 1, but 1e-20 can be
 * stored.
 */
export interface Tails {
  readonly lower: number
  readonly upper: number
}

export const swapTails = ({ lower, upper }: Tails): Tails => ({ lower: upper, upper: lower })
