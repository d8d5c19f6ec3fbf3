import { type AttemptResult, type Job, unmeasured } from '../../src/define/run.ts'
import type { Executor } from '../../src/execute/executor.ts'

/** An executor that performs nothing: it completes and records every job at once. Adopted attempts count as interrupted. */
export function promptExecutor(slots: number): Executor & { readonly started: readonly Job[] } {
  const started: Job[] = []
  return {
    started,
    slots,
    resize() {},
    follow() {},
    free: () => slots,
    async start(job) {
      started.push(job)
      return completed(job)
    },
    adopt: async unfinished =>
      unfinished.map(({ token }) => ({ kind: 'ended' as const, token, spent_usd: 0, place: null })),
    async close() {},
  }
}

export const completed = (
  { token, mode }: Pick<Job, 'token' | 'mode'>,
  more: Partial<AttemptResult> = {},
): AttemptResult => ({
  token,
  mode,
  outcome: { kind: 'completed' },
  wall_s: 0.001,
  ...unmeasured,
  metrics: [],
  series: [],
  cost_usd: 0,
  cost_at_least_usd: 0,
  calls: 0,
  tokens: 0,
  outputs: [],
  command: [],
  cwd: '',
  place: null,
  ...more,
})
