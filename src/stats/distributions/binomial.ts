import { betaFront, incompleteBeta } from '../special/incomplete-beta.ts'

/** P(K = k) of n trials (Loader 2000: accurate for any n). */
export function binomialProbability(k: number, n: number, p: number): number {
  if (k < 0 || k > n || !Number.isInteger(k)) return 0
  const q = 1 - p
  if (k === 0) return Math.exp(n * Math.log1p(-p))
  if (k === n) return p ** n
  return (betaFront(k, n - k, p, q) * n) / (k * (n - k))
}

/** P(K ≤ k) (Abramowitz & Stegun 26.5.24). */
export function binomialCdf(k: number, n: number, p: number): number {
  const whole = Math.floor(k)
  if (whole < 0) return 0
  return whole >= n ? 1 : incompleteBeta(whole + 1, n - whole, p).upper
}

/** P(K > k). */
export function binomialSurvival(k: number, n: number, p: number): number {
  const whole = Math.floor(k)
  if (whole < 0) return 1
  return whole >= n ? 0 : incompleteBeta(whole + 1, n - whole, p).lower
}

/** The smallest k with P(K ≤ k) ≥ p. */
export function binomialQuantile(p: number, n: number, success: number): number {
  let low = 0
  let high = n
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (binomialCdf(middle, n, success) >= p) high = middle
    else low = middle + 1
  }
  return low
}
