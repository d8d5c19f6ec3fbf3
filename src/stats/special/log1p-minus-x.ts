/**
 * log(1 + x) − x without the cancellation near 0, which is where tail probabilities of large samples live.
 * `ratio` is 1 + x: callers that know it better than by addition keep their accuracy where x is near −1.
 * With r = x / (2 + x), log(1 + x) = 2 artanh r, so the answer is r · (2 Σ r^2k / (2k + 1) − x), k ≥ 1 (Abramowitz & Stegun 4.1.27).
 */
export function log1pMinusX(x: number, ratio: number = 1 + x): number {
  if (x < -0.5 || x > 1) return Math.log(ratio) - x
  const r = x / (2 + x)
  const square = r * r
  let power = square
  let sum = 0
  for (let odd = 3; ; odd += 2) {
    const term = power / odd
    sum += term
    if (term <= sum * 1e-17) break
    power *= square
  }
  return r * (2 * sum - x)
}
