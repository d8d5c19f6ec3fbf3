import type { HaltRule, Limits } from '../../define/limits.ts'
import type { LimitName } from '../../define/permits.ts'
import type { Bound } from '../../define/target.ts'

/**
 * The most that one attempt may cost; null: no cap. A limit of 0 declares commands and functions free. For runs that
 * spend money on model calls it means no limit, as users know it from such programs.
 */
export function runCap({ run_budget_usd }: Limits, bound: Bound): number | null {
  if (bound === 'per_call') return run_budget_usd === 0 ? null : run_budget_usd
  return run_budget_usd ?? (bound === 'unknown' ? null : bound)
}

/** What a budget reserves for a running run without a cap; null: its calls are reserved one by one. */
export const reservationOf = ({ run_budget_usd }: Limits, bound: Bound): number | null =>
  bound === 'per_call' ? null : (run_budget_usd ?? (bound === 'unknown' ? null : bound))

/** The present value of a limit that cut a run; null: the limit was removed. */
export function limitNow(name: LimitName, limits: Limits, bound: Bound): number | null {
  switch (name) {
    case 'run_budget_usd':
      return runCap(limits, bound)
    // If a model still had no price, nothing would have started.
    case 'unknown_price':
    case 'rate':
      return null
    default:
      return limits[name]
  }
}

/** A share says nothing about the first few runs: fewer failures than this never halt an experiment by share. */
const leastFailures = 3

/** Why no new runs should be started, or null. `finished` and `failed` count this call's runs. */
export function haltReason(
  rule: HaltRule | null,
  counts: { readonly finished: number; readonly failed: number },
): string | null {
  if (rule === null || counts.failed === 0) return null
  if ('failures' in rule)
    return counts.failed >= rule.failures ? `${counts.failed} runs failed (--halt fail=${rule.failures})` : null
  const share = counts.failed / counts.finished
  if (counts.failed < leastFailures || share < rule.share) return null
  const percent = (x: number) => `${Math.round(x * 1000) / 10}%`
  return `${counts.failed} of ${counts.finished} runs failed, ${percent(share)} (--halt fail=${percent(rule.share)})`
}
