import type { HaltRule } from '../../define/limit-kinds.ts'

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
