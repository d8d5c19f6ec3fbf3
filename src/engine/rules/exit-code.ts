import type { Summary } from '../../record/summary.ts'

/** How a call ended, for the shell: see `docs/exit-codes.md`. `isUnanswered`: no run has a value of the primary metric. */
export function exitCodeOf(summary: Summary, interrupted: boolean, isUnanswered = false): number {
  const bad = summary.failed + summary.timed_out + summary.infra_error + summary.quarantined
  const unfinished =
    summary.pending + summary.running + summary.cancelled + summary.rate_limited + summary.cost_limited + summary.stale
  if (interrupted && unfinished > 0) return 130
  if (bad > 0) return 1
  if (unfinished > 0) return 3
  return isUnanswered ? 1 : 0
}
