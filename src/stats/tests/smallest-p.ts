import { binomialCoefficient } from './permutation/independent.ts'

/**
 * The smallest two-sided p of a sign-flip, sign, Wilcoxon or exact McNemar test with this many pairs: five give 0.0625
 * at best.
 */
export function smallestPairedP(pairs: number): number {
  return Math.min(1, 2 ** (1 - pairs))
}

/** The same for two groups and a rank or permutation test. Mirror images exist for ranks always, for means when the groups are equal. */
export function smallestTwoGroupP(n1: number, n2: number): number {
  return Math.min(1, 2 / binomialCoefficient(n1 + n2, n1))
}

/** The number of pairs from which a two-sided p of alpha is possible. */
export function pairsToReach(alpha: number): number {
  return Math.max(1, Math.ceil(1 - Math.log2(alpha) - 1e-12))
}
