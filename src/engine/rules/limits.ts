import type { HaltRule, Limits } from '../../define/limits.ts'
import type { LimitName } from '../../define/permits.ts'
import type { Bound } from '../../define/target.ts'

/**
 * The most that one attempt may cost; null: no cap. A limit of 0 declares commands and functions free. For runs that
 * spend on calls of models it means none, as it does for the programs that people know.
 */
export function runCap({ run_budget_usd }: Limits, bound: Bound): number | null {
  if (bound === 'per_call') return run_budget_usd === 0 ? null : run_budget_usd
  return run_budget_usd ?? (bound === 'unknown' ? null : bound)
}

/** What a budget sets aside for a run that is under way without a cap; null: its calls are set aside one by one. */
export const reservationOf = ({ run_budget_usd }: Limits, bound: Bound): number | null =>
  bound === 'per_call' ? null : (run_budget_usd ?? (bound === 'unknown' ? null : bound))

/** Where a limit that cut a run stands now; null: it is gone. */
export function limitNow(name: LimitName, limits: Limits, bound: Bound): number | null {
  switch (name) {
    case 'run_budget_usd':
      return runCap(limits, bound)
    // Had there still been a model without a price, nothing would have started.
    case 'unknown_price':
    case 'rate':
      return null
    default:
      return limits[name]
  }
}

/** A share says nothing about the first few runs: fewer failures than this never halt an experiment by share. */
const leastFailures = 3

/** Why no new runs should be started, or null. `finished` and `failed` are those of this call. */
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
