import { binomialProbability } from './binomial.ts'

/**
 * P(K = k) when `drawn` of `marked + unmarked` are drawn without replacement, as a quotient of three binomial
 * probabilities (Loader 2000): factorials of a thousand never appear.
 */
export function hypergeometricProbability(k: number, marked: number, unmarked: number, drawn: number): number {
  const p = drawn / (marked + unmarked)
  if (p === 0 || p === 1) return k === (p === 0 ? 0 : marked) ? 1 : 0
  const together = binomialProbability(drawn, marked + unmarked, p)
  return (binomialProbability(k, marked, p) * binomialProbability(drawn - k, unmarked, p)) / together
}
