import { binomialProbability } from '../distributions/binomial.ts'
import { hypergeometricProbability } from '../distributions/hypergeometric.ts'
import { requireThat } from '../outcome.ts'

/** The chance that Fisher's exact two-sided test rejects, summed over all outcomes of two groups. */
export function fisherExactPower(
  a: { readonly rate: number; readonly n: number },
  b: { readonly rate: number; readonly n: number },
  alpha = 0.05,
): number {
  requireThat(Math.min(a.rate, b.rate) >= 0 && Math.max(a.rate, b.rate) <= 1, 'rates between 0 and 1')
  const ofA = probabilities(a)
  const ofB = probabilities(b)
  let power = 0
  for (let total = 0; total <= a.n + b.n; total++)
    for (const k of rejecting(a.n, b.n, total, alpha)) power += (ofA[k] ?? 0) * (ofB[total - k] ?? 0)
  return Math.min(1, power)
}

const probabilities = ({ rate, n }: { readonly rate: number; readonly n: number }): readonly number[] =>
  Array.from({ length: n + 1 }, (_, successes) => binomialProbability(successes, n, rate))

/** The successes of group a, out of so many in all, that the test calls significant. */
function rejecting(nA: number, nB: number, total: number, alpha: number): readonly number[] {
  const first = Math.max(0, total - nB)
  const tables = Array.from({ length: Math.min(nA, total) - first + 1 }, (_, at) => ({
    k: first + at,
    probability: hypergeometricProbability(first + at, nA, nB, total),
  })).toSorted((x, y) => x.probability - y.probability)
  const found: number[] = []
  let tail = 0
  for (let at = 0; at < tables.length; ) {
    // Equally likely tables, up to rounding, stand or fall together.
    const limit = (tables[at]?.probability ?? 0) * (1 + 1e-9)
    const tied: number[] = []
    for (; at < tables.length && (tables[at]?.probability ?? 0) <= limit; at++) {
      tail += tables[at]?.probability ?? 0
      tied.push(tables[at]?.k ?? 0)
    }
    if (tail > alpha) break
    found.push(...tied)
  }
  return found
}
