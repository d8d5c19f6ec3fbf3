import { requireThat } from '../../stats/estimate.ts'

/**
 * The chance that at least one of `k` rollouts passes, from `n` of which `passed` did: 1 − C(n − c, k) / C(n, k), which
 * is unbiased (Chen et al. 2021, "Evaluating large language models trained on code"). null with fewer than `k` rollouts.
 */
export function passAtK(n: number, passed: number, k: number): number | null {
  checkCounts(n, passed, k)
  if (k > n) return null
  if (n - passed < k) return 1
  // As a sum of logarithms: binomial coefficients overflow beyond n = 1000, and 1 − (1 − x) loses small x.
  let log = 0
  const [few, many] = passed < k ? [passed, k] : [k, passed]
  for (let i = 0; i < few; i++) log += Math.log1p(-many / (n - i))
  return -Math.expm1(log)
}

/**
 * The chance that all of `k` rollouts pass: C(c, k) / C(n, k), unbiased (Yao et al. 2024, "τ-bench", as pass^k). null with
 * fewer than `k` rollouts.
 */
export function passHatK(n: number, passed: number, k: number): number | null {
  checkCounts(n, passed, k)
  if (k > n) return null
  let product = 1
  for (let i = 0; i < k; i++) product *= Math.max(0, passed - i) / (n - i)
  return product
}

function checkCounts(n: number, passed: number, k: number): void {
  requireThat(
    [n, passed, k].every(Number.isInteger) && k > 0 && passed >= 0 && passed <= n,
    `whole numbers with 0 ≤ passed ≤ n and k > 0, got n=${n}, passed=${passed}, k=${k}`,
  )
}
