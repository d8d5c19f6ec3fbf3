import type { Summary } from '../../../src/define/outcome.ts'
import type { EngineEvent } from '../../../src/engine/call.ts'

export const started: Extract<EngineEvent, { kind: 'started' }> = {
  kind: 'started',
  name: 'sweep',
  dir: 'results/sweep',
  planned: 10,
  to_run: 8,
  reused: 2,
  jobs: 2,
}

export const begins = (run: string, at: number, attempt = 1): EngineEvent => ({
  kind: 'attempt_started',
  run,
  attempt,
  at,
})

type Ended = Extract<EngineEvent, { kind: 'attempt_ended' }>

export const ends = (run: string, more: Partial<Ended> = {}): Ended => ({
  kind: 'attempt_ended',
  run,
  attempt: 1,
  outcome: { kind: 'completed', exit_code: 0 },
  wall_s: 10,
  cost_usd: null,
  charged_usd: 0,
  metrics: [],
  retry_in_ms: null,
  quarantined: false,
  stderr_tail: '',
  ...more,
})

export const exit7: Partial<Ended> = {
  outcome: { kind: 'failed', exit_code: 7, error_class: 'exit_7', message: 'the program ended with exit code 7' },
  stderr_tail: 'loading\n\u001b[31mSegmentation\tfault\u001b[0m in tier 3\n',
}

export const summary: Summary = {
  dir: 'results/sweep',
  planned: 10,
  completed: 7,
  failed: 1,
  timed_out: 1,
  cost_limited: 0,
  rate_limited: 0,
  stopped_early: 0,
  cancelled: 0,
  infra_error: 0,
  quarantined: 0,
  stale: 0,
  running: 0,
  pending: 1,
  reused: 2,
  attempts: 9,
  cost_usd: 1.5,
  overrun_usd: 0,
  wall_s: 75.2,
}
