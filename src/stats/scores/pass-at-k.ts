import { type Estimate, requireThat, unavailable } from '../estimate.ts'

/** The number of attempts at a task, and of successes. */
export interface TaskAttempts {
  readonly attempts: number
  readonly successes: number
}

/**
 * The probability that at least one of k attempts succeeds: 1 − C(n − c, k) / C(n, k), unbiased (Chen et al. 2021,
 * "Evaluating large language models trained on code", §2.1). As a sum of logarithms: binomial coefficients overflow
 * beyond n = 1000, and 1 − (1 − x) loses small x.
 */
export function passAtK(task: TaskAttempts, k: number): Estimate<number> {
  return whenEstimable(task, k, ({ attempts, successes }) => {
    if (attempts - successes < k) return 1
    const [few, many] = successes < k ? [successes, k] : [k, successes]
    let noneSucceeds = 0
    for (let at = 0; at < few; at++) noneSucceeds += Math.log1p(-many / (attempts - at))
    return -Math.expm1(noneSucceeds)
  })
}

/** The probability that all of k attempts succeed: C(c, k) / C(n, k) (Yao et al. 2024, "τ-bench", pass^k). */
export function passHatK(task: TaskAttempts, k: number): Estimate<number> {
  return whenEstimable(task, k, ({ attempts, successes }) => {
    let allSucceed = 1
    for (let at = 0; at < k; at++) allSucceed *= Math.max(0, successes - at) / (attempts - at)
    return allSucceed
  })
}

/** Fewer attempts than k say nothing about k of them. */
function whenEstimable(task: TaskAttempts, k: number, compute: (task: TaskAttempts) => number): Estimate<number> {
  const { attempts, successes } = task
  requireThat(Number.isInteger(k) && k > 0, `a whole k above 0, got ${k}`)
  requireThat(
    Number.isInteger(attempts) && Number.isInteger(successes) && successes >= 0 && successes <= attempts,
    `from 0 to ${attempts} successes in as many attempts, got ${successes}`,
  )
  if (attempts === 0) return unavailable('no_data')
  return k > attempts ? unavailable('too_few_values') : compute(task)
}
