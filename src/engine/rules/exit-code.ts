import type { Summary } from '../../record/summary.ts'

/** How a call ended, for the shell: see the table in DESIGN and `docs/exit-codes.md`. */
export function exitCodeOf(summary: Summary, interrupted: boolean): number {
  const bad = summary.failed + summary.timed_out + summary.infra_error + summary.quarantined
  const unfinished =
    summary.pending + summary.running + summary.cancelled + summary.rate_limited + summary.cost_limited + summary.stale
  if (interrupted && unfinished > 0) return 130
  if (bad > 0) return 1
  return unfinished > 0 ? 3 : 0
}
