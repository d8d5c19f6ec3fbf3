import { binomialCoefficient } from './permutation/independent.ts'

/** The smallest two-sided p that so many pairs can give a sign-flip, sign, Wilcoxon or exact McNemar test: five give 0.0625 at best. */
export function smallestPairedP(pairs: number): number {
  return Math.min(1, 2 ** (1 - pairs))
}

/** The same for two groups and a rank or permutation test. Mirror images exist for ranks always, for means when the groups are equal. */
export function smallestTwoGroupP(n1: number, n2: number): number {
  return Math.min(1, 2 / binomialCoefficient(n1 + n2, n1))
}

/** How many pairs it takes before a two-sided p of alpha can come out at all. */
export function pairsToReach(alpha: number): number {
  return Math.max(1, Math.ceil(1 - Math.log2(alpha) - 1e-12))
}
