import type { Outcome } from '../define/outcome.ts'
import type { AttemptResult, Job } from '../define/run.ts'

/** The result of an attempt that left nothing but its outcome. */
export function resultWith({ token, mode }: Pick<Job, 'token' | 'mode'>, outcome: Outcome): AttemptResult {
  return {
    ...{ token, mode, outcome, wall_s: 0, cpu_s: null, max_rss_bytes: null, metrics: [], series: [] },
    ...{ cost_usd: 0, cost_at_least_usd: 0, calls: 0, tokens: 0, outputs: [], command: [], cwd: '', place: null },
  }
}
