import { type Estimate, isAvailable } from '../estimate.ts'

/**
 * The first n at which a sequence (of n = 1, 2, …) changed by less than this share of its previous value; null if
 * never.
 */
export function firstRelativeChangeBelow(sequence: readonly Estimate<number>[], share: number): number | null {
  for (let at = 1; at < sequence.length; at++) {
    const before = sequence[at - 1]
    const now = sequence[at]
    if (before === undefined || now === undefined || !isAvailable(before) || !isAvailable(now) || before === 0) continue
    if (Math.abs(now - before) / Math.abs(before) < share) return at + 1
  }
  return null
}
